#include "client/write/session_events.h"

#include <fmt/format.h>

#include <algorithm>

namespace batholith {

ObjectEvent EventOf(const SeenObject& object) {
  ObjectEvent event;
  event.api_version = object.api_version;
  event.kind = object.kind;
  event.namespace_ = object.namespace_;
  event.name = object.name;
  event.uid = object.uid;
  return event;
}

ObjectEvent PodEvent(const std::string& key, const std::string& uid) {
  const std::size_t slash = key.find('/');
  ObjectEvent event;
  event.api_version = "v1";
  event.kind = "Pod";
  event.namespace_ = key.substr(0, slash);
  event.name = key.substr(slash + 1);
  event.uid = uid;
  return event;
}

ObjectEvent WaitingPodEvent(const SeenObject& seen, const PodStatus& pod) {
  ObjectEvent event = EventOf(seen);
  event.warning = true;
  event.reason = "FailedScheduling";
  event.action = "Scheduling";
  event.note = pod.message;
  event.numbers_move = true;
  return event;
}

std::optional<ObjectEvent> WaitingGroupEvent(const SeenObject& seen, const JobStatus& job) {
  const auto why = std::ranges::find(job.conditions, "Unschedulable", &JobCondition::type);
  const bool waits = job.phase == JobPhase::kPending || job.phase == JobPhase::kInqueue ||
                     job.phase == JobPhase::kUnknown;
  if (!waits || why == job.conditions.end()) return std::nullopt;
  ObjectEvent event = EventOf(seen);
  event.warning = job.phase != JobPhase::kPending;
  event.reason = "Unschedulable";
  event.action = "Scheduling";
  event.note = why->message;
  event.numbers_move = true;
  std::int32_t total = 0;
  for (const auto& [status, count] : job.tasks) total += count;
  const auto waiting = job.tasks.find("Pending");
  // As in Volcano the event counts who waits, the condition who is missing from the minimum.
  if (waiting != job.tasks.end())
    event.note =
        fmt::format("{}/{} tasks in gang unschedulable: {}", waiting->second, total, job.message);
  return event;
}

std::optional<ObjectEvent> IncompleteGangEvent(const SeenObject& seen, const JobStatus& job) {
  if (job.message.empty()) return std::nullopt;
  std::int32_t placed = 0;
  for (const char* status : {"Bound", "Binding", "Running"}) {
    const auto it = job.tasks.find(status);
    if (it != job.tasks.end()) placed += it->second;
  }
  if (placed == 0 || placed >= job.min_member) return std::nullopt;
  ObjectEvent event = EventOf(seen);
  event.warning = true;
  event.reason = "GangIncomplete";
  event.action = "Scheduling";
  event.note = fmt::format("{} of the {} pods that must run together have a node: {}", placed,
                           job.min_member, job.message);
  event.numbers_move = true;
  return event;
}

}  // namespace batholith
