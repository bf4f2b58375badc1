#include "plugins/pdb/pdb.h"

#include <algorithm>

#include "framework/describe_plugin.h"
#include "framework/disruption_budgets.h"
#include "plugins/common/victim_guard.h"

namespace batholith {
namespace {

class Pdb final : public Plugin, public VictimGuard, public AllocationObserver {
 public:
  explicit Pdb(const PluginContext& context)
      : snapshot_(context.snapshot),
        budgets_(*context.snapshot.objects),
        allowed_(budgets_.allowed()),
        evicted_(context.snapshot.tasks.size(), false) {}

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
    return budgets_.Covering(*snapshot_.task(task).record);
  }

  VictimRole Role() const override { return VictimRole::kCountingGuard; }

  // A pod that no budget covers, one without labels for instance, may fall.
  std::vector<TaskIndex> Spare(std::span<const TaskIndex> candidates) const override {
    std::vector<std::int32_t> left = allowed_;
    const std::vector<TaskIndex> spared = budgets_.Protected(snapshot_, candidates, left);
    std::vector<TaskIndex> victims;
    std::ranges::copy_if(candidates, std::back_inserter(victims),
                         [&, next = spared.begin()](TaskIndex t) mutable {
                           if (next == spared.end() || *next != t) return true;
                           ++next;
                           return false;
                         });
    return victims;
  }

  const Snapshot& snapshot_;
  DisruptionBudgets budgets_;
  std::vector<std::int32_t> allowed_;  // by budget; what this session has taken is gone from it
  std::vector<bool> evicted_;          // by TaskIndex
};

}  // namespace

PluginDescriptor PdbPlugin() {
  return DescribePlugin<Pdb>({
      .name = "pdb",
      .summary = "keeps victims within pod disruption budgets",
  });
}

}  // namespace batholith
