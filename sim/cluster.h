#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/cluster_objects.h"
#include "api/effect.h"
#include "api/result.h"
#include "sim/disruptions.h"
#include "sim/node_groups.h"

namespace batholith {

// What becomes of an evicted pod once it is gone.
enum class VictimFate : std::uint8_t { kGone, kRecreated };

// Objects that replace those of the same key. What an update leaves out stays as it is where an API
// server would keep it: the status of an object, the node of a pod, the time of creation.
struct ObjectUpdate {
  ClusterObjects objects;
  std::set<std::string> with_status;    // "Kind/namespace/name" of those that bring a status
  std::set<std::string> with_creation;  // and of those that bring a creationTimestamp
};

// A cluster in memory that answers a scheduler's decisions as a real one would, on virtual time:
// what was bound runs at the next session, what was evicted is terminating at once and gone when
// its grace period is over. One owner, one thread; objects that were handed out never change.
// The easy mistake: Apply takes effect at once, Advance is what lets time pass.
class SimCluster {
 public:
  // Pods that are terminating already go as if they had been evicted at `now`.
  SimCluster(ClusterObjects objects, VictimFate victims, TimeNs now);

  std::shared_ptr<const ClusterObjects> Objects() const { return objects_; }
  // Whether time alone will change something: a pod that is about to run, or to be gone.
  bool IsRestless() const;

  // The effects of one session.
  void Apply(const CycleResult& result, TimeNs now);
  // Up to the next session, which opens at `now`.
  void Advance(TimeNs now);

  // What happens from outside. The strings say what could not be done.
  std::vector<std::string> Add(ClusterObjects objects, TimeNs now);
  std::vector<std::string> Update(ObjectUpdate update, TimeNs now);
  // "Kind/namespace/name" or "Kind/name"; the object is gone at once. Of quotas and workloads
  // that differ by group only, "Kind.group/namespace/name".
  Result<void> Remove(std::string_view reference);

 private:
  struct Leaving {
    TimeNs gone_at = 0;
    bool evicted = false;  // else it was leaving from the start and nobody replaces it
    bool drained = false;  // its node goes: whoever made it makes it again
  };

  ClusterObjects& Mutable();
  void IndexPods();
  void RecordLeaving(TimeNs now);
  PodRecord* FindPod(const std::string& key);
  void Recreate(const PodRecord& victim, TimeNs now);
  void DropOrphanGroups();

  std::shared_ptr<ClusterObjects> objects_;
  SimNodeGroups node_groups_;
  Disruptions disruptions_;
  VictimFate victims_;
  std::map<std::string, std::size_t, std::less<>> pod_index_;
  std::map<std::string, Leaving, std::less<>> leaving_;
  std::map<std::string, std::string, std::less<>>
      origin_;                                           // of recreated pods: the first one's key
  std::map<std::string, int, std::less<>> recreations_;  // of an original pod
};

}  // namespace batholith
