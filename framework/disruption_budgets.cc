#include "framework/disruption_budgets.h"

#include <algorithm>

#include "api/label_match.h"

namespace batholith {

DisruptionBudgets::DisruptionBudgets(const ClusterObjects& objects)
    : budgets_(&objects.disruption_budgets) {
  for (std::size_t b = 0; b < budgets_->size(); ++b) {
    allowed_.push_back((*budgets_)[b].disruptions_allowed);
    by_namespace_[(*budgets_)[b].meta.namespace_].push_back(b);
  }
}

std::vector<std::size_t> DisruptionBudgets::Covering(const PodRecord& pod) const {
  std::vector<std::size_t> covering;
  const auto it = by_namespace_.find(pod.meta.namespace_);
  if (it == by_namespace_.end()) return covering;
  for (const std::size_t b : it->second) {
    const PodDisruptionBudgetRecord& budget = (*budgets_)[b];
    if (!budget.meta.flaw.empty() && !budget.selector) {
      covering.push_back(b);  // nobody knows which pods it means
      continue;
    }
    if (!budget.selector || budget.selector->requirements.empty()) continue;
    const auto& counted = budget.disrupted_pods;
    if (std::ranges::find(counted, pod.meta.name) != counted.end()) continue;
    if (MatchesSelector(budget.selector, pod.meta.labels)) covering.push_back(b);
  }
  return covering;
}

std::vector<TaskIndex> DisruptionBudgets::Protected(const Snapshot& snapshot,
                                                    std::span<const TaskIndex> tasks,
                                                    std::vector<std::int32_t>& left) const {
  std::vector<TaskIndex> out;
  if (budgets_->empty()) return out;
  for (const TaskIndex t : tasks) {
    const std::vector<std::size_t> covering = Covering(*snapshot.task(t).record);
    if (std::ranges::any_of(covering, [&](std::size_t b) { return left[b] <= 0; })) {
      out.push_back(t);
    } else {
      for (const std::size_t b : covering) --left[b];
    }
  }
  return out;
}

std::vector<std::int32_t> DisruptionBudgets::Left(const Snapshot& snapshot,
                                                  const SessionState& state) const {
  std::vector<std::int32_t> left = allowed_;
  if (left.empty()) return left;
  std::vector<TaskIndex> evicted;
  for (std::size_t t = 0; t < snapshot.tasks.size(); ++t) {
    if (HoldsAllocation(snapshot.tasks[t].status) &&
        state.status(TaskIndex(t)) == TaskStatus::kReleasing)
      evicted.emplace_back(t);
  }
  Protected(snapshot, evicted, left);
  return left;
}

std::size_t DisruptionBudgets::ViolatingFirst(const Snapshot& snapshot,
                                              std::vector<TaskIndex>& tasks) const {
  if (budgets_->empty()) return 0;
  std::vector<std::int32_t> left = allowed_;
  std::vector<TaskIndex> violating;
  std::vector<TaskIndex> others;
  for (const TaskIndex t : tasks) {
    bool violates = false;
    for (const std::size_t b : Covering(*snapshot.task(t).record)) violates |= --left[b] < 0;
    (violates ? violating : others).push_back(t);
  }
  const std::size_t count = violating.size();
  tasks = std::move(violating);
  tasks.insert(tasks.end(), others.begin(), others.end());
  return count;
}

}  // namespace batholith
