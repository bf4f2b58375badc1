#pragma once

#include <optional>
#include <vector>

#include "framework/statement.h"

namespace batholith {

// Who may be asked to leave, and which point judges.
enum class VictimKind { kPreemptJobs, kPreemptWithin, kReclaim };

struct VictimPlan {
  NodeIndex node;
  std::vector<TaskIndex> victims;  // in falling order, at least one
  std::int32_t top_priority = INT32_MIN;
};

// Tries out on single nodes who would have to fall for one preemptor. Every trial is undone, so
// that trials do not depend on each other. REQUIRES: nothing else changes the session meanwhile.
class VictimTrial {
 public:
  VictimTrial(Session& session, Statement& statement, TaskIndex preemptor, VictimKind kind);

  // Whether queue and quotas have room for the preemptor, what is leaving counted as gone. Reclaim
  // has asked MayReclaim before, and asks no more unless a quota counts too, or allocate came
  // before it in this session: what is reclaimed must then pass all that allocate asks for, or it
  // would be reclaimed again and again.
  bool QueueAdmits() const;
  // Whether a task of an eligible job is there to be evicted, for this preemptor.
  bool CanFall(TaskIndex victim) const;
  // The same, and the queues and the task's own wish let it.
  bool Eligible(TaskIndex victim) const;
  // The cheapest set of victims that makes the preemptor fit on this node, judged in the state
  // after their eviction; whoever turns out not to be needed is spared. Cost: the tasks on the
  // node.
  std::optional<VictimPlan> On(NodeIndex node);
  // Preempt spares the more important first; both then take fewer victims. Of equal plans preempt
  // takes the least valuable victim (two plans never share one, and their order has no ties);
  // reclaim stays on the first node, as Volcano does, so that it empties one node after another.
  bool Better(const VictimPlan& a, const VictimPlan& b) const;

 private:
  std::vector<TaskIndex> VictimsOn(NodeIndex node) const;
  bool FitsNow(NodeIndex node);
  void GiveBack(NodeIndex node, std::vector<TaskIndex>& chosen);
  std::int32_t PriorityOf(TaskIndex t) const;

  Session& session_;
  const Snapshot& snapshot_;
  Statement& statement_;
  TaskIndex preemptor_;
  VictimKind kind_;
  JobIndex job_;
  QueueIndex queue_;
  const ResourceVector& request_;
  NodeChecks& checks_;
  bool cluster_;  // what is moved elsewhere changes what they say
};

}  // namespace batholith
