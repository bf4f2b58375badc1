#pragma once

#include <optional>
#include <set>
#include <span>
#include <vector>

#include "actions/common/quota_judge.h"

namespace batholith {

// Tries out plans by evicting in the session: for each node all allowed victims are taken off,
// those on it first; if the preemptor then fits and its quotas have room, as many as can be are put
// back, first those elsewhere, most deserving first. What it tried is undone.
class QuotaTrial final : public QuotaJudge {
 public:
  // Cost: O(tasks of the quotas).
  QuotaTrial(Session& session, Statement& statement, TaskIndex preemptor, VictimKind kind,
             bool own_queue_only);

  // The best plan of all nodes; none: there is none. Cost: O(nodes tried × victims) evictions.
  std::optional<QuotaPlan> Best();
  // That of one node.
  std::optional<QuotaPlan> PlanOn(NodeIndex node);
  // Whether it has looked beyond those first to fall, so that what it says of a node depends on the
  // nodes it was asked about before.
  bool looked_further() const;

 private:
  void SurplusFirst();
  std::vector<NodeIndex> Nodes();
  std::vector<TaskIndex> HelpersFor(NodeIndex node, bool elsewhere) const;
  bool IsBoundToStay(TaskIndex t) const;
  bool StaysWithJob(TaskIndex t) const;
  std::optional<QuotaPlan> PlanOn(NodeIndex node, bool elsewhere);
  bool MayAllGo(const QuotaPlan& plan) const;
  bool MayGo(TaskIndex t) const;
  void KeepWhole(const QuotaPlan& plan);
  std::optional<QuotaPlan> TryOn(NodeIndex node, bool elsewhere);
  std::vector<TaskIndex> AnotherSet(NodeIndex node, std::span<const TaskIndex> helpers);
  std::optional<QuotaPlan> PlanWith(NodeIndex node, const std::vector<TaskIndex>& allowed);
  QuotaPlan PutBack(NodeIndex node, const std::vector<TaskIndex>& allowed);
  void Evict(TaskIndex t);
  void EvictAlone(TaskIndex t);
  void OrderForPuttingBack(std::vector<TaskIndex>& tasks, std::set<TaskIndex>& violating) const;
  void AddUnits(QuotaPlan& plan, std::set<TaskIndex>& violating) const;
  template <typename Condition>
  bool StaysIf(TaskIndex t, Condition condition);
  void TakeWholeJobs(QuotaPlan& plan, std::set<TaskIndex>& violating);

  std::vector<TaskIndex> candidates_;  // first to fall first
  std::set<TaskIndex> surplus_;        // of these, where nobody spares them, beyond the minimums
  std::set<JobIndex> unbreakable_;     // jobs that cannot go whole
  bool quota_short_ = false;
  std::int64_t questions_;
  std::vector<Statement::Checkpoint> evicted_at_;  // by TaskIndex
};

}  // namespace batholith
