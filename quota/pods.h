#pragma once

#include <vector>

#include "api/snapshot.h"
#include "quota/forest.h"

namespace batholith {

// Whether a pod that is leaving has given its quota back (policy `terminating`).
bool CountsNoMore(const QuotaPolicy& policy, const PodRecord& leaving, TimeNs now);

// Sets gpu-memory in `amounts`, tree units, to what a list of resources makes of it, where the
// quota lists it.
void FillGpuMemory(const Snapshot& snapshot, const QuotaForest& forest, QuotaIndex q,
                   const ResourceList& list, ResourceVector& amounts);

// What each task of a snapshot weighs in which quota: columns by TaskIndex, the weights shared
// among tasks of one class.
class QuotaPods {
 public:
  QuotaPods(const Snapshot& snapshot, const QuotaForest& forest);

  QuotaIndex quota(TaskIndex t) const { return quotas_[t.value()]; }  // none: no quota
  const QuotaPod& pod(TaskIndex t) const { return pods_[pod_of_[t.value()]]; }
  // Running pods that are beyond the min of their nos quota: those that nos labels over-quota.
  bool over_quota(TaskIndex t) const { return over_quota_[t.value()]; }
  // What victims are chosen by: the same, with a min of 0 for what only other quotas list; where
  // the options are strict, the label on the pod.
  bool counts_as_over(TaskIndex t) const { return counts_as_over_[t.value()]; }
  std::uint32_t gpu_memory() const { return gpu_memory_; }  // its dimensions
  // The resources of which a task would be short in this room (base units), as one bit per
  // dimension; with a device, gpu-memory is short.
  std::uint32_t ShortOn(const Snapshot& snapshot, TaskIndex t, const ResourceVector& room) const;
  // Tasks bound to the quota or, for a flat dialect, to any of it; first to fall first: less
  // important (lower priority, then later start) first, then by name.
  // Sorted when it is first asked for: most sessions never ask.
  std::span<const TaskIndex> Sharing(QuotaIndex q) const;
  // Tasks bound to the quota or to one below it, less important first. Cost: O(tasks of the
  // dialect × depth).
  std::vector<TaskIndex> Below(const QuotaForest& forest, QuotaIndex q) const;
  // Less important goes first.
  static bool FallsBefore(const Snapshot& snapshot, TaskIndex a, TaskIndex b);

 private:
  void Weigh(const Snapshot& snapshot, const QuotaForest& forest);
  void Group(const Snapshot& snapshot, const QuotaForest& forest);
  void Label(const Snapshot& snapshot, const QuotaForest& forest);

  std::vector<QuotaIndex> quotas_;
  std::vector<std::uint32_t> pod_of_;
  std::vector<QuotaPod> pods_;
  std::vector<bool> over_quota_;
  std::vector<bool> counts_as_over_;
  std::vector<std::size_t> group_of_;  // by QuotaIndex
  const Snapshot* snapshot_;
  mutable std::vector<std::vector<TaskIndex>> sharing_;
  mutable std::vector<bool> sorted_;      // by group
  std::uint32_t gpu_memory_ = 0;          // the dimensions of it
  std::vector<TaskIndex> by_importance_;  // every task with a quota; with monitorAllQuotas
};

}  // namespace batholith
