#pragma once

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "api/snapshot.h"
#include "framework/session_state.h"

namespace batholith {

// Which pods the cluster's disruption budgets cover, as kube-scheduler reads them for preemption: a
// budget without a selector, or with an empty one, covers nobody; a pod whose disruption has been
// counted already is not covered again.
class DisruptionBudgets {
 public:
  explicit DisruptionBudgets(const ClusterObjects& objects);

  // By budget: how many more disruptions it allows.
  const std::vector<std::int32_t>& allowed() const { return allowed_; }
  std::vector<std::size_t> Covering(const PodRecord& pod) const;

  // Of pods that are to leave in this order, those that a budget protects: beyond the `left` of it.
  // What the others use up is gone from `left`.
  std::vector<TaskIndex> Protected(const Snapshot& snapshot, std::span<const TaskIndex> tasks,
                                   std::vector<std::int32_t>& left) const;

  // By budget: how many disruptions are left after the evictions of this session.
  std::vector<std::int32_t> Left(const Snapshot& snapshot, const SessionState& state) const;
  // Who of `tasks` leaves by the plan, which is made anew without those that a budget protects; the
  // others are charged. `plan`: from a vector of tasks to one of those that leave, in their order.
  template <typename Plan>
  std::vector<TaskIndex> PassOver(const Snapshot& snapshot, std::vector<TaskIndex> tasks,
                                  std::vector<std::int32_t>& left, Plan plan) const {
    while (true) {
      std::vector<TaskIndex> leaving = plan(tasks);
      std::vector<std::int32_t> after = left;
      const std::vector<TaskIndex> spared = Protected(snapshot, leaving, after);
      if (spared.empty()) {
        left = std::move(after);
        return leaving;
      }
      std::erase_if(tasks,
                    [&](TaskIndex t) { return std::ranges::find(spared, t) != spared.end(); });
    }
  }

  // Charges the pods in their order and moves those that a budget protects to the front, both parts
  // in their order. Returns how many these are. Source: reference (elastic quotas) 1.7.
  std::size_t ViolatingFirst(const Snapshot& snapshot, std::vector<TaskIndex>& tasks) const;

 private:
  const std::vector<PodDisruptionBudgetRecord>* budgets_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> by_namespace_;
  std::vector<std::int32_t> allowed_;
};

}  // namespace batholith
