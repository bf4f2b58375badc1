#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "api/cluster_event.h"
#include "cache/live_cluster.h"
#include "test/bench/scenario.h"

namespace batholith::bench {

// Names the default queue of all benchmarks.
SnapshotOptions OptionsOfSnapshot();

// A live cluster and what its API server would tell it: what was bound runs, what was evicted is
// gone, new pods come, the oldest running ones go, nodes change. One owner, one thread. The easy
// mistake: its events are made off the clock, but are to be applied on it.
class LiveFeed {
 public:
  // Fills the cluster. `oldest_go`: as many pods go as come.
  LiveFeed(const Scenario& scenario, const Sizes& sizes, bool oldest_go);

  LiveCluster& cluster() { return cluster_; }

  // What is told before the next session; `arrivals` pods come.
  std::vector<ClusterEvent> NextEvents(std::size_t arrivals);
  // What a session decided; before LiveCluster::Assume.
  void Decided(const CycleResult& result);

 private:
  struct Running {
    std::string pod, group;  // keys
  };

  void DropOldest(std::size_t pods, std::vector<ClusterEvent>& events);
  void ChangeNodes(std::vector<ClusterEvent>& events);

  Sizes sizes_;
  LiveCluster cluster_;
  ClusterMaker maker_;
  bool oldest_go_;
  std::size_t wave_ = 0;
  std::size_t next_node_ = 0;
  std::map<std::string, PodRecord> waiting_;  // pods of the waves that have no node
  std::vector<ClusterEvent> confirmations_;
  std::deque<Running> running_;  // the oldest first; empty where nobody goes
};

}  // namespace batholith::bench
