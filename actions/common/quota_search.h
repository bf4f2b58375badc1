#pragma once

#include <optional>
#include <vector>

#include "actions/common/quota_judge.h"
#include "actions/common/quota_pool.h"
#include "actions/common/quota_trial.h"

namespace batholith {

// Finds the plan that QuotaTrial::Best would find, on sums: what a node and what the quotas and
// queues lack, against what their tasks would give. Nobody is evicted, and a node is looked into
// only if the best plan that its sums allow is better than what was found. REQUIRES: nothing else
// changes the session meanwhile.
class QuotaSearch final : public QuotaJudge {
 public:
  struct Answer {
    bool sure = false;  // false: sums do not tell, so plans must be tried out
    std::optional<QuotaPlan> plan = {};
  };

  QuotaSearch(Session& session, Statement& statement, TaskIndex preemptor, VictimKind kind,
              bool own_queue_only);

  // Cost: O(nodes), and O(tasks on it × lacks) for each node looked into; where the quota is short
  // and the node's tasks do not do, also the tasks elsewhere up to the last that is needed.
  Answer Best();

 private:
  // A node, and a bound: no plan for it ranks before `least`.
  struct Bid {
    QuotaPlanRank least = {};
    NodeIndex node;
    bool passes = false;   // its checks let the preemptor in as it is
    bool across = false;   // only with tasks that stand elsewhere
    bool refined = false;  // who could give elsewhere counts in the bound
  };
  // Of tasks that could leave one node.
  struct Estimate {
    std::size_t count = 0;
    std::int32_t min_priority = INT32_MAX;
    std::int64_t negative = 0;  // Σ of the priorities below 0
    TimeNs max_start = INT64_MIN;
    std::optional<std::pair<std::int32_t, TimeNs>>
        single;  // the best that does alone: priority, −start
  };
  struct Elsewhere {  // of one shortfall, over all who may fall
    std::int64_t sum = 0;
    TimeNs max_start = INT64_MIN;
  };

  void FindNeeds();
  std::vector<NodeIndex> Nodes();
  bool HoldsWithVictims(NodeIndex node) const;
  void NeedOf(NodeIndex node);
  std::int64_t Given(TaskIndex t, std::size_t need) const;
  void Count(TaskIndex t, int sign, std::size_t from);
  bool Enough(std::size_t from) const;
  Estimate EstimateOf(NodeIndex node, bool passes);
  std::optional<Bid> BidFor(NodeIndex node, bool passes, bool refined);
  QuotaPlanRank LeastHere(NodeIndex node, const Estimate& here) const;
  QuotaPlanRank LeastAcross(NodeIndex node, const Estimate& here, bool refined);
  bool LooksElsewhere();
  bool Spared(JobIndex job);
  bool FallsAlone(TaskIndex t);

  // Unsure: see Answer.
  Answer PlanOn(const Bid& bid);
  Answer PlanOnSums(NodeIndex node);
  Answer PlanAcross(NodeIndex node, const std::vector<TaskIndex>& helpers,
                    const std::vector<TaskIndex>& here);
  bool AnotherSetMight(NodeIndex node, const std::vector<TaskIndex>& helpers,
                       const std::vector<TaskIndex>& allowed);
  void PutBack(const std::vector<TaskIndex>& tasks, std::size_t from,
               std::vector<TaskIndex>& victims);
  QuotaPlan Finished(NodeIndex node, std::vector<TaskIndex> victims) const;
  bool AnybodyMayGo();

  QuotaMemory& memory_;
  QuotaPool& pool_;
  const QuotaGroup& group_;
  const bool own_queue_only_;
  const bool holds_some_;            // the preemptor's own job holds tasks
  std::vector<std::size_t> wanted_;  // the resources that the preemptor asks for
  std::vector<Shortfall> short_;     // of quotas and queues
  // What is needed on a node, by wanted resource, then by shortfall; and what is given by now.
  std::vector<std::int64_t> needs_;
  std::vector<std::int64_t> given_;
  std::vector<Elsewhere> elsewhere_;  // by shortfall; empty: nobody has looked
  std::map<JobIndex, bool> spared_;
  std::map<TaskIndex, bool> alone_;
  std::optional<QuotaTrial> trial_;
};

}  // namespace batholith
