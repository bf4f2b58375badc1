#include "cache/total.h"

#include <vector>

namespace batholith {

void AddTotal(Snapshot& snapshot) {
  std::vector<bool> counted(snapshot.nodes.size(), false);
  for (std::size_t n = 0; n < snapshot.nodes.size(); ++n) {
    if (!snapshot.nodes[n].usable) continue;
    snapshot.total += snapshot.nodes[n].allocatable;
    counted[n] = true;
  }
  ResourceVector foreign;
  for (const TaskFacts& task : snapshot.tasks) {
    if (task.node.is_none() || !HoldsAllocation(task.status)) continue;
    if (!counted[task.node.value()]) snapshot.total += task.request;
    if (task.foreign) foreign += task.request;
  }
  snapshot.shared = (snapshot.total - foreign).ClampedAtZero();
}

}  // namespace batholith
