#include "plugins/nodeorder/unnamed_requests.h"

#include "api/resource_vector.h"

namespace batholith {

UnnamedRequests::UnnamedRequests(const Snapshot& snapshot, const SessionState& state)
    : snapshot_(snapshot), state_(state) {
  if (!snapshot.requests_unnamed) return;
  on_.resize(snapshot.nodes.size());
  counted_on_.resize(snapshot.tasks.size());
  for (std::size_t t = 0; t < snapshot.tasks.size(); ++t) Update(TaskIndex(t));
}

void UnnamedRequests::Update(TaskIndex task) {
  if (on_.empty()) return;
  const TaskStatus status = state_.status(task);
  const bool uses =
      HoldsAllocation(status) || status == TaskStatus::kReleasing || status == TaskStatus::kUnknown;
  const NodeIndex node = uses ? state_.node(task) : NodeIndex::None();
  NodeIndex& before = counted_on_[task.value()];
  if (node == before) return;
  if (!before.is_none()) Add(task, before, -1);
  if (!node.is_none()) Add(task, node, 1);
  before = node;
}

void UnnamedRequests::Add(TaskIndex task, NodeIndex node, int sign) {
  const PodRecord& pod = *snapshot_.task(task).record;
  Sum& sum = on_[node.value()];
  sum.cpu = ResourceVector::AddSaturating(sum.cpu, sign * pod.unnamed_cpu);
  sum.memory = ResourceVector::AddSaturating(sum.memory, sign * pod.unnamed_memory);
}

}  // namespace batholith
