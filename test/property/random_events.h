#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cache/live_cluster.h"
#include "test/property/draws.h"

namespace batholith::property {

// What may happen in a cluster, one thing after another: pods and groups that come, change and go,
// in any order and with any of their fields, and now and then objects of other kinds. The same seed
// and objects give the same events.
class RandomEvents {
 public:
  explicit RandomEvents(std::uint64_t seed) : draws_(seed) {}

  // All of the objects come, and the namespaces that they are in.
  static void Feed(const ClusterObjects& objects, LiveCluster& cluster);
  // One thing happens. `odd`: it may be such that a snapshot must be built anew.
  void Next(bool odd, LiveCluster& cluster);

 private:
  void ChangePod(bool odd, PodRecord& pod, const ClusterObjects& objects);
  void ChangePodOddly(PodRecord& pod);
  void ChangeGroup(bool odd, PodGroupRecord& group, const ClusterObjects& objects);
  void ChangeOther(bool odd, LiveCluster& cluster);
  // Of `which` up to `returns` one of the gone comes back, up to 30 one goes, and nothing is left
  // to do; else the one that is to change.
  template <typename Record>
  std::optional<Record> Choose(int returns, std::vector<Record>& gone, int which,
                               LiveCluster& cluster);
  void NextPod(bool odd, LiveCluster& cluster);
  void NextGroup(bool odd, LiveCluster& cluster);
  void Rename(ObjectMeta& meta);

  Draws draws_;
  int made_ = 0;
  std::vector<PodRecord> gone_pods_;
  std::vector<PodGroupRecord> gone_groups_;
};

}  // namespace batholith::property
