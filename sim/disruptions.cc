#include "sim/disruptions.h"

#include "api/label_match.h"

namespace batholith {
namespace {

template <typename Visit>
void ForEachBudgetOf(const PodRecord& pod, ClusterObjects& objects, Visit visit) {
  for (PodDisruptionBudgetRecord& budget : objects.disruption_budgets) {
    if (budget.meta.namespace_ == pod.meta.namespace_ &&
        MatchesSelector(budget.selector, pod.meta.labels))
      visit(budget);
  }
}

}  // namespace

void Disruptions::OnEvicted(const PodRecord& pod, ClusterObjects& objects) {
  ForEachBudgetOf(pod, objects, [&](PodDisruptionBudgetRecord& budget) {
    if (budget.disruptions_allowed > 0) {
      --budget.disruptions_allowed;
    } else {
      ++beyond_[budget.meta.Key()];
    }
  });
}

void Disruptions::OnReplaced(const PodRecord& pod, ClusterObjects& objects) {
  ForEachBudgetOf(pod, objects, [&](PodDisruptionBudgetRecord& budget) {
    int& beyond = beyond_[budget.meta.Key()];
    if (beyond > 0) {
      --beyond;
    } else {
      ++budget.disruptions_allowed;
    }
  });
}

}  // namespace batholith
