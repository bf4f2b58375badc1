#include "cache/empty_nodes.h"

#include <algorithm>

#include "api/node_match.h"

namespace batholith {

bool EmptyNodes::FitsNowhere(const JobFacts& job) {
  const JobPhase phase = job.record->phase;
  const bool waits =
      phase == JobPhase::kNone || phase == JobPhase::kPending || phase == JobPhase::kInqueue;
  // Pods that do not exist yet say nothing.
  if (!waits || static_cast<std::int64_t>(job.tasks.size()) < job.min_available) return false;
  std::int32_t held = 0;
  for (const TaskIndex t : job.tasks) {
    if (held >= job.min_available) return false;
    const TaskFacts& task = snapshot_.task(t);
    if (!task.node.is_none() || task.status != TaskStatus::kPending || Hold(task)) ++held;
  }
  return held < job.min_available;
}

bool EmptyNodes::Hold(const TaskFacts& task) {
  std::optional<bool>& known = holds_[task.base_class.value()];
  if (!known) {
    const PodConstraints& constraints = *task.record->constraints;
    known = !task.unserved && std::ranges::any_of(snapshot_.nodes, [&](const NodeFacts& node) {
      return node.usable && task.request.FitsIn(node.allocatable) &&
             MatchesNode(constraints, *node.record) &&
             UntoleratedTaint(constraints.tolerations, *node.record) == nullptr;
    });
  }
  return *known;
}

}  // namespace batholith
