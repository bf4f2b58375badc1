#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "actions/common/fewest_victims.h"
#include "actions/common/victim_order.h"
#include "actions/common/victim_sums.h"
#include "actions/common/victim_trial.h"

namespace batholith {

// Finds the best plan for one preemptor after another. Preempt walks through the victims: a plan's
// last victim is where the walk first sees room on its node, or later; so once the walk is past the
// last victim of the best plan, only a plan of lower priority or of fewer victims could still be
// better. What falls together falls on all of its nodes when the walk meets the first of it.
// Reclaim, whose equal plans are told apart by their nodes, goes through the nodes in their order.
// Lives for one action, and keeps what holds from one preemptor to the next.
class VictimHunt {
 public:
  explicit VictimHunt(const Session& session);

  // For the preemptor of `trial`; always equal to a trial on every node. Reclaim: REQUIRES a
  // preemptor without a quota. Cost: the victims, or the nodes that might do, on the way to the
  // plan, and a trial on each node where there would be room enough.
  std::optional<VictimPlan> Find(VictimTrial& trial);
  VictimOrder& order() { return order_; }

 private:
  // Of the preemptor that is served now.
  struct Asker {
    VictimTrial* trial = nullptr;
    TaskIndex task;
    JobIndex job;
    const ResourceVector* request = nullptr;
    bool guarded = false;  // what placeholders hold is no room for it
  };
  // What has been seen of nodes on the walk, for the preemptor whose number they carry.
  struct SeenNode {
    std::uint32_t preemptor = 0;
    bool tried = false;
  };

  std::optional<VictimPlan> FindAmong(VictimTrial& trial, bool own_shard);
  void Begin(VictimTrial& trial);
  void GoThroughNodes();
  void TryNode(NodeIndex node);
  void WalkThroughQueue();
  bool MayTakeFrom(JobIndex job) const;
  void Visit(const VictimOrder::Victim& victim);
  void CountIn(NodeIndex node, const ResourceVector& request);
  std::int64_t RoomIn(NodeIndex node, std::size_t r) const;
  bool IsSettled(TaskIndex victim);
  bool Tried(NodeIndex node) const;
  bool FewerPossible();
  bool MayBeBetter(NodeIndex node);

  const Session& session_;
  const Snapshot& snapshot_;
  VictimOrder order_;
  std::optional<VictimSums> sums_;  // once reclaim asks
  FewestVictims fewest_;
  std::uint32_t preemptor_ = 0;
  std::vector<SeenNode> seen_nodes_;
  std::vector<std::int64_t> seen_room_;     // by node, then by wanted_: free and falling
  std::set<const VictimUnit*> seen_units_;  // by this preemptor

  Asker asker_;
  std::vector<std::size_t> wanted_;  // resources that it asks for
  bool own_shard_ = false;           // nodes of other shards are left out
  std::optional<VictimPlan> best_;
  bool past_best_ = false;               // the walk is past the last victim of the best plan
  std::int32_t least_left_ = INT32_MIN;  // no job from here on has a lower priority
  std::int64_t counted_for_ = 0;         // the number of victims for which fewer_ was counted
  std::int64_t fewer_ = 0;               // nodes not tried that might do with fewer
};

}  // namespace batholith
