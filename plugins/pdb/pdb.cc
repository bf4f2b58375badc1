#include "plugins/pdb/pdb.h"

#include <algorithm>
#include <map>

#include "api/label_match.h"
#include "plugins/common/victim_guard.h"

namespace batholith {
namespace {

// As kube-scheduler reads it for preemption: a budget without a selector, or with an empty one,
// covers nobody.
bool Covers(const PodDisruptionBudgetRecord& budget, const PodRecord& pod) {
  if (budget.meta.namespace_ != pod.meta.namespace_) return false;
  if (!budget.selector || budget.selector->requirements.empty()) return false;
  if (std::ranges::find(budget.disrupted_pods, pod.meta.name) != budget.disrupted_pods.end()) {
    return false;  // its disruption has been counted already
  }
  return MatchesSelector(budget.selector, pod.meta.labels);
}

class Pdb final : public Plugin, public VictimGuard, public AllocationObserver {
 public:
  explicit Pdb(const PluginContext& context)
      : snapshot_(context.snapshot), evicted_(context.snapshot.tasks.size(), false) {
    const std::vector<PodDisruptionBudgetRecord>& budgets = snapshot_.objects->disruption_budgets;
    for (std::size_t b = 0; b < budgets.size(); ++b) {
      allowed_.push_back(budgets[b].disruptions_allowed);
      by_namespace_[budgets[b].meta.namespace_].push_back(b);
    }
  }

  // An eviction of this session uses up budget, its undo gives it back.
  void OnDeallocate(TaskIndex task, NodeIndex) override {
    if (!HoldsAllocation(snapshot_.task(task).status)) return;
    evicted_[task.value()] = true;
    for (const std::size_t b : BudgetsOf(task)) --allowed_[b];
  }
  void OnAllocate(TaskIndex task, NodeIndex) override {
    if (!evicted_[task.value()]) return;
    evicted_[task.value()] = false;
    for (const std::size_t b : BudgetsOf(task)) ++allowed_[b];
  }

 private:
  std::vector<std::size_t> BudgetsOf(TaskIndex task) const {
    std::vector<std::size_t> covering;
    const PodRecord& pod = *snapshot_.task(task).record;
    const auto it = by_namespace_.find(pod.meta.namespace_);
    if (it == by_namespace_.end()) return covering;
    for (const std::size_t b : it->second) {
      if (Covers(snapshot_.objects->disruption_budgets[b], pod)) covering.push_back(b);
    }
    return covering;
  }

  // A pod that no budget covers, one without labels for instance, may fall.
  std::vector<TaskIndex> Spare(std::span<const TaskIndex> candidates) const override {
    std::vector<std::int32_t> left = allowed_;
    std::vector<TaskIndex> victims;
    for (const TaskIndex t : candidates) {
      const std::vector<std::size_t> covering = BudgetsOf(t);
      if (std::ranges::any_of(covering, [&](std::size_t b) { return left[b] <= 0; })) continue;
      for (const std::size_t b : covering) --left[b];
      victims.push_back(t);
    }
    return victims;
  }

  const Snapshot& snapshot_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> by_namespace_;
  std::vector<std::int32_t> allowed_;  // by budget; what this session has taken is gone from it
  std::vector<bool> evicted_;          // by TaskIndex
};

}  // namespace

std::unique_ptr<Plugin> MakePdb(const PluginContext& context) {
  return std::make_unique<Pdb>(context);
}

}  // namespace batholith
