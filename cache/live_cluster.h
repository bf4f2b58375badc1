#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "api/cluster_event.h"
#include "api/decided.h"
#include "api/orders.h"
#include "api/snapshot.h"
#include "cache/assumed_volumes.h"
#include "cache/snapshot_keeper.h"

namespace batholith {

// The objects of a live cluster as the last events told them, with what was sent and not answered
// yet laid over them. One owner, one thread. The easy mistake: between Take and the end of the
// session nothing may be applied, for snapshots look into the records.
class LiveCluster {
 public:
  explicit LiveCluster(SnapshotOptions options);

  // Cost: O(1) but for copies of texts.
  void Apply(ClusterEvent event);

  // The cluster as a session should see it; `node_resources`, `ignored`: see SnapshotOptions. Who
  // lets go of it before the next one is taken saves that one from being built anew.
  std::shared_ptr<const Snapshot> Take(TimeNs now,
                                       const std::vector<std::string>& node_resources = {},
                                       PlacementNeedSet ignored = {});

  // What the session decided is taken for done until an event says what became of it. Returns it
  // with the uids that it was decided on.
  SessionOrders Assume(CycleResult result, TimeNs now);

  // How many binds and evictions nobody has answered yet, and since when the oldest waits (0: none
  // does).
  struct Unanswered {
    std::size_t count = 0;
    TimeNs since = 0;
  };
  Unanswered unanswered() const;

  // The next snapshot is built anew, and is the same.
  void DropSnapshot() { keeper_.Drop(); }
  const SnapshotKeeper::Counts& snapshots() const { return keeper_.counts(); }

  const ClusterObjects& objects() const { return *objects_; }

  // Another number whenever an event or a decision has changed an object: as long as it is the
  // same, so is the cluster. An event that tells what is known (a node's sign of life) changes
  // nothing.
  std::uint64_t version() const { return version_; }

 private:
  struct Sent {
    TimeNs since = 0;
    bool done = false;  // the server said so; its event is on the way
  };
  // What was sent for a pod and no event has told yet. A pod that was bound may be evicted before
  // anybody answered the bind.
  struct Assumed {
    std::string uid;
    std::string node;  // of the bind
    std::optional<Sent> bind, evict;
  };
  // Where each object stands in its vector.
  using Places = std::unordered_map<std::string, std::size_t>;  // looked up only

  template <typename Record>
  Record* Find(const std::string& key);
  template <typename Record>
  Record& Store(Record record);
  template <typename Record>
  void Drop(const ObjectGone& gone);
  template <typename Record>
  void TellKeeper(std::size_t place, const Record& before, const Record& now);
  // The record says something else than before.
  template <typename Record>
  void Touch(const Record& record);
  void NoteNomination(const PodRecord& pod);
  ObjectFinder Finder();

  void Put(PodRecord record);
  void Put(PodGroupRecord record);
  template <typename Record>
  void Put(Record record) {
    Store(std::move(record));
  }
  // Forgets what the pod's event tells, and lays the rest over it.
  void LayOver(PodRecord& pod);
  void LayOver(const Assumed& assumed, PodRecord& pod);
  void Answer(const EffectOutcome& outcome);
  void Put(NodeRecord record);
  void Put(PersistentVolumeRecord record);
  void Put(PersistentVolumeClaimRecord record);
  void AssumeVolumes(const Bind& bind, const std::string& uid);
  void AnswerVolumes(const EffectOutcome& outcome);
  void DropMadeGroup(const std::string& key);
  // No pod is placed on nodes that were to go, though the cluster may say so only later.
  void AssumeGoing(const AutoscaleReport& report);
  void EnsureQueue(const std::string& name);

  SnapshotOptions options_;
  std::uint64_t version_ = 0;
  std::shared_ptr<ClusterObjects> objects_ = std::make_shared<ClusterObjects>();
  std::array<Places, std::variant_size_v<ObjectRecord>> places_;
  SnapshotKeeper keeper_;
  std::set<std::string> nominated_;                      // pods that have a nomination
  std::map<std::string, Assumed, std::less<>> assumed_;  // by pod
  AssumedVolumes assumed_volumes_;
  // Nodes that a carried out decision takes out, and whether the cluster has them cordoned.
  std::map<std::string, bool, std::less<>> going_;
  // Groups that were made for a pod, where an object of that name stands in their place.
  std::map<std::string, PodGroupRecord, std::less<>> hidden_;
};

}  // namespace batholith
