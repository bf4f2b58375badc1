#include "actions/slack/usage.h"

#include "actions/common/task_state.h"

namespace batholith {
namespace {

bool Stays(TaskStatus status) {
  return status == TaskStatus::kBound || status == TaskStatus::kBinding ||
         status == TaskStatus::kRunning || status == TaskStatus::kAllocated;
}

}  // namespace

Shape NodeShape(const ResourceVector& amounts) {
  return {amounts[ResourceSchema::kCpu], amounts[ResourceSchema::kMemory] / kMiB};
}

Shape PodShape(const ResourceVector& amounts) {
  const std::int64_t bytes = amounts[ResourceSchema::kMemory];
  return {amounts[ResourceSchema::kCpu], bytes / kMiB + (bytes % kMiB > 0 ? 1 : 0)};
}

ResourceVector ToVector(const Shape& shape) {
  ResourceVector out;
  out[ResourceSchema::kCpu] = shape.cpu_m;
  out[ResourceSchema::kMemory] = ResourceVector::MulSaturating(shape.mem_mib, kMiB);
  out[ResourceSchema::kPods] = 1;
  return out;
}

PodUsage MeasurePods(const Session& session) {
  const Snapshot& snapshot = session.snapshot();
  PodUsage out;
  std::vector<bool> seen(snapshot.base_classes);
  for (std::size_t t = 0; t < snapshot.tasks.size(); ++t) {
    const TaskFacts& task = snapshot.tasks[t];
    const TaskStatus status = session.state().status(TaskIndex(t));
    if (task.daemon || IsFinished(status)) continue;
    if (Stays(status)) out.requested = out.requested + PodShape(task.request);
    if (task.no_slack || seen[task.base_class.value()]) continue;
    seen[task.base_class.value()] = true;
    if (const Shape shape = PodShape(task.request); !shape.empty()) out.shapes.push_back(shape);
  }
  return out;
}

}  // namespace batholith
