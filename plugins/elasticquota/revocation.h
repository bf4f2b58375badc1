#pragma once

#include <span>
#include <vector>

#include "api/effect.h"
#include "api/snapshot.h"
#include "framework/disruption_budgets.h"
#include "framework/eviction_units.h"
#include "framework/session_state.h"
#include "quota/forest.h"
#include "quota/overuse_clock.h"
#include "quota/pods.h"

namespace batholith {

// What has to leave in one session of quotas that have held more than their runtime for too long.
// Disruption budgets are kept: a pod that its budget protects is passed over for one that it does
// not. What falls together leaves as one, where the quota may lose all of it.
class Revocation {
 public:
  Revocation(const Snapshot& snapshot, const SessionState& state, const QuotaForest& forest,
             const QuotaPods& pods, const DisruptionBudgets& budgets);

  bool IsDue(QuotaIndex q) { return clock_.IsDue(q, snapshot_.now); }
  // Those that leave now, in their order, of what the quota holds and may lose. Remembers the quota
  // if that is not enough, since budgets protect the rest.
  std::vector<TaskIndex> Of(QuotaIndex q, std::vector<TaskIndex> held);

  // Appends since when quotas are over their runtime, and which of them budgets keep there.
  void Report(CycleResult& result) const;

 private:
  std::vector<TaskIndex> Plan(QuotaIndex q, const std::vector<TaskIndex>& tasks) const;
  bool IsOverWithout(QuotaIndex q, std::span<const TaskIndex> leaving) const;

  const Snapshot& snapshot_;
  const SessionState& state_;
  const EvictionUnits units_;
  const QuotaForest& forest_;
  const QuotaPods& pods_;
  const DisruptionBudgets& budgets_;
  OveruseClock clock_;
  std::vector<std::int32_t> left_;     // by budget: disruptions that it still allows
  std::vector<QuotaIndex> protected_;  // over their runtime by what budgets protect
};

}  // namespace batholith
