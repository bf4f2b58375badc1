#include "cache/total.h"

namespace batholith {

ResourceVector AddTotal(Snapshot& snapshot) {
  for (const NodeFacts& node : snapshot.nodes) {
    if (node.usable) snapshot.total += node.allocatable;
  }
  ResourceVector foreign;
  for (const TaskFacts& task : snapshot.tasks)
    ChangeTotal(task, TaskChange::kComes, snapshot, foreign);
  ShareTotal(foreign, snapshot);
  return foreign;
}

void ChangeTotal(const TaskFacts& task, TaskChange change, Snapshot& snapshot,
                 ResourceVector& foreign) {
  if (task.node.is_none() || !HoldsAllocation(task.status)) return;
  const auto apply = [&](ResourceVector& sum) {
    if (change == TaskChange::kComes) {
      sum += task.request;
    } else {
      sum -= task.request;
    }
  };
  if (!snapshot.node(task.node).usable) apply(snapshot.total);
  if (task.foreign) apply(foreign);
}

void ShareTotal(const ResourceVector& foreign, Snapshot& snapshot) {
  snapshot.shared = (snapshot.total - foreign).ClampedAtZero();
}

bool IsCutOff(const ResourceVector& sums) {
  constexpr std::int64_t kMost = std::int64_t{1} << 61;
  for (std::size_t r = 0; r < ResourceVector::kMaxDimensions; ++r) {
    if (sums[r] > kMost || sums[r] < -kMost) return true;
  }
  return false;
}

}  // namespace batholith
