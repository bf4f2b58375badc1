#include "actions/slack/usage.h"

#include <algorithm>
#include <string_view>

namespace batholith {
namespace {

// Set by the cluster autoscaler and by us on a node that is about to go.
constexpr std::string_view kGoingTaints[] = {"ToBeDeletedByClusterAutoscaler",
                                             "slack.batholith.dev/to-be-deleted"};
constexpr std::string_view kControlPlane[] = {"node-role.kubernetes.io/control-plane",
                                              "node-role.kubernetes.io/master"};

bool Stays(TaskStatus status) {
  return status == TaskStatus::kBound || status == TaskStatus::kBinding ||
         status == TaskStatus::kRunning || status == TaskStatus::kAllocated;
}

bool IsFinished(TaskStatus status) {
  return status == TaskStatus::kSucceeded || status == TaskStatus::kFailed;
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
  out[ResourceSchema::kMemory] = shape.mem_mib * kMiB;
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

bool TakesSlack(const NodeFacts& node) {
  const NodeRecord& record = *node.record;
  if (!node.usable || IsGoing(record)) return false;
  for (const std::string_view role : kControlPlane) {
    if (record.meta.labels.contains(role)) return false;
  }
  return std::ranges::none_of(record.taints, [](const Taint& taint) {
    return taint.effect != TaintEffect::kPreferNoSchedule;
  });
}

bool IsGoing(const NodeRecord& node) {
  return node.meta.deleting || std::ranges::any_of(node.taints, [](const Taint& taint) {
           return std::ranges::find(kGoingTaints, taint.key) != std::end(kGoingTaints);
         });
}

}  // namespace batholith
