#include "cache/pod_facts.h"

#include <optional>
#include <string>
#include <string_view>

#include "api/value_text.h"

namespace batholith {
namespace {

const std::string* AnnotationOrLabel(const ObjectMeta& meta, std::string_view key) {
  if (const auto it = meta.annotations.find(key); it != meta.annotations.end()) return &it->second;
  if (const auto it = meta.labels.find(key); it != meta.labels.end()) return &it->second;
  return nullptr;
}

// "job-role-12" → 12: names of three or more dash segments that end in a number.
std::int64_t NameNumber(const std::string& name) {
  const std::size_t last = name.rfind('-');
  if (last == std::string::npos || last == 0 || name.rfind('-', last - 1) == std::string::npos)
    return -1;
  return ParseNumber<std::int64_t>(std::string_view(name).substr(last + 1)).value_or(-1);
}

TaskStatus StatusOf(const PodRecord& pod) {
  switch (pod.phase) {
    case PodPhase::kSucceeded:
      return TaskStatus::kSucceeded;
    case PodPhase::kFailed:
      return TaskStatus::kFailed;
    case PodPhase::kUnknown:
      return TaskStatus::kUnknown;
    case PodPhase::kRunning:
      return pod.meta.deleting ? TaskStatus::kReleasing : TaskStatus::kRunning;
    case PodPhase::kPending:
      if (pod.meta.deleting) return TaskStatus::kReleasing;
      return pod.node_name.empty() ? TaskStatus::kPending : TaskStatus::kBound;
  }
  return TaskStatus::kUnknown;
}

}  // namespace

void ReadOwnFacts(const PodRecord& pod, TaskFacts& facts) {
  facts.status = StatusOf(pod);
  facts.priority = pod.priority.value_or(1);
  if (const auto it = pod.meta.annotations.find("volcano.sh/task-priority");
      it != pod.meta.annotations.end()) {
    if (const auto value = ParseNumber<std::int64_t>(it->second);
        value && *value >= INT32_MIN && *value <= INT32_MAX) {
      facts.priority = static_cast<std::int32_t>(*value);
    }
  }
  if (const std::string* text = AnnotationOrLabel(pod.meta, "volcano.sh/preemptable")) {
    facts.preemptable = ParseGoBool(*text).value_or(false);
    facts.revocable = facts.preemptable && pod.meta.annotations.contains("volcano.sh/preemptable");
  }
  if (const std::string* zone = AnnotationOrLabel(pod.meta, "volcano.sh/revocable-zone")) {
    facts.revocable = *zone == "*";
  }
  facts.gated = !pod.scheduling_gates.empty();
  facts.daemon = pod.meta.owner->kind == "DaemonSet" ||
                 pod.meta.annotations.contains("kubernetes.io/config.mirror");
  if (const auto it = pod.meta.annotations.find("slack.batholith.dev/exclude");
      it != pod.meta.annotations.end())
    facts.no_slack = ParseGoBool(it->second).value_or(false);
  facts.name_number = NameNumber(pod.meta.name);
}

bool AsksForLabels(const PodConstraints& c) {
  return !c.required_affinity.empty() || !c.preferred_affinity.empty() ||
         !c.required_anti_affinity.empty() || !c.preferred_anti_affinity.empty() ||
         !c.topology_spread.empty();
}

}  // namespace batholith
