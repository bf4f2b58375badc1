#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "actions/common/victim_judge.h"

namespace batholith {

struct VictimPlan {
  NodeIndex node;
  std::vector<TaskIndex> victims;  // at least one; in falling order, but for units, which stay one
  TaskIndex last;  // the last to fall; of a unit that falls together the first one speaks for it
  std::int32_t top_priority = INT32_MIN;
};

// Tries out on single nodes who would have to fall for one preemptor. Every trial is undone, so
// that trials do not depend on each other. REQUIRES: nothing else changes the session meanwhile.
class VictimTrial final : public VictimJudge {
 public:
  // What trials of one action leave to the next.
  struct Memory {
    // How many may still be asked where the first to fall do not do, see VictimSet.
    std::int64_t questions = INT64_MAX;
    NodeIndex node;                 // of the last trial
    std::vector<TaskIndex> sorted;  // who was eligible there, first to fall first
  };

  // Without a memory: one of its own.
  VictimTrial(Session& session, Statement& statement, TaskIndex preemptor, VictimKind kind,
              Memory* memory = nullptr);
  VictimTrial(const VictimTrial&) = delete;
  VictimTrial& operator=(const VictimTrial&) = delete;

  // Whether queue and quotas have room for the preemptor, what is leaving counted as gone. Reclaim
  // has asked MayReclaim before, and asks no more unless a quota counts too, or allocate came
  // before it in this session: what is reclaimed must then pass all that allocate asks for, or it
  // would be reclaimed again and again.
  bool QueueAdmits() const;
  // Whether a task of an eligible job is there to be evicted, for this preemptor.
  bool CanFall(TaskIndex victim) const;
  // The same, and the queues and the task's own wish let it, and the same is true of whom falls
  // with it.
  bool Eligible(TaskIndex victim) const;
  // The cheapest set of victims that makes the preemptor fit on this node, judged in the state
  // after their eviction: the first to fall as far as guards let them, without whom turns out not
  // to be needed; where these do not do, another set that may fall together. Cost: the tasks on
  // the node; for another set up to a thousand questions.
  std::optional<VictimPlan> On(NodeIndex node);
  // Whether nobody's leaving helps there, until something on the node moves.
  bool IsBarred(NodeIndex node) const;
  // Preempt spares the more important first; both then take fewer victims. Of equal plans preempt
  // takes the least valuable victim (two plans share one only if it falls with others, and then
  // the first node counts); reclaim stays on the first node, as Volcano does, so that it empties
  // one node after another.
  bool Better(const VictimPlan& a, const VictimPlan& b) const;

  // The queues beside the preemptor's own whose tasks would be eligible, but that nothing may be
  // reclaimed from.
  std::vector<QueueIndex> QueuesThatKeep() const;
  // The plugins that spare some of these tasks.
  std::vector<std::string_view> WhoSpares(std::span<const TaskIndex> tasks) const;

 private:
  bool HasRoomSoon() const override { return QueueAdmits(); }
  bool MayTake(TaskIndex victim) const override;
  bool SpeaksOn(NodeIndex node, TaskIndex task) const;
  TaskIndex FirstOf(TaskIndex task) const;
  std::vector<TaskIndex> CandidatesOn(NodeIndex node, bool passes) const;
  std::span<const TaskIndex> EligibleOn(NodeIndex node) const;
  std::size_t FewestOf(NodeIndex node, std::span<const TaskIndex> candidates) const;
  bool CouldFit(NodeIndex node, std::span<const TaskIndex> candidates) const;
  std::optional<VictimPlan> PlanWith(NodeIndex node, std::span<const TaskIndex> candidates);
  struct FirstFallen {
    std::vector<TaskIndex> tasks;  // none: they do not do
    bool given_back = false;       // not all that had to fall before the last one
  };
  FirstFallen FirstToFall(NodeIndex node, std::span<const TaskIndex> candidates);
  std::vector<TaskIndex> AnotherSet(NodeIndex node, std::span<const TaskIndex> candidates);
  bool HasRoomWith(NodeIndex node, TaskIndex task) const;
  void GiveBack(NodeIndex node, std::vector<TaskIndex>& chosen);
  std::int32_t PriorityOf(TaskIndex t) const;

  Memory own_memory_;
  Memory* memory_;
};

}  // namespace batholith
