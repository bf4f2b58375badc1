#include "codec/kinds.h"

namespace batholith {

namespace {

constexpr Choices<QueueState, 4> kStates{{{"Open", QueueState::kOpen},
                                          {"Closing", QueueState::kClosing},
                                          {"Closed", QueueState::kClosed},
                                          {"Unknown", QueueState::kUnknown}}};

constexpr Choices<bool, 2> kStrategies{{{"traverse", false}, {"fifo", true}}};

}  // namespace

QueueRecord ReadQueue(const Field& object) {
  QueueRecord queue;
  queue.meta = ReadMeta(object);
  const Field spec = object["spec"];
  queue.weight = static_cast<std::int32_t>(spec["weight"].Int(1, 1, 1'000'000'000));
  queue.priority = static_cast<std::int32_t>(spec["priority"].Int(0, 0, INT32_MAX));
  if (spec["reclaimable"].present()) queue.reclaimable = spec["reclaimable"].Bool(false);
  // Other makers' schemas let a negative one pass, which is no limit.
  const bool stored = spec.flaws() != nullptr;
  queue.capability = stored ? spec["capability"].Bounds() : spec["capability"].Resources();
  queue.guarantee = spec["guarantee"]["resource"].Resources();
  queue.deserved = spec["deserved"].Resources();
  queue.parent = spec["parent"].Text();
  const Field like = spec["affinity"]["nodeGroupAffinity"];
  const Field unlike = spec["affinity"]["nodeGroupAntiAffinity"];
  queue.affinity.required = like["requiredDuringSchedulingIgnoredDuringExecution"].Texts();
  queue.affinity.preferred = like["preferredDuringSchedulingIgnoredDuringExecution"].Texts();
  queue.affinity.anti_required = unlike["requiredDuringSchedulingIgnoredDuringExecution"].Texts();
  queue.affinity.anti_preferred = unlike["preferredDuringSchedulingIgnoredDuringExecution"].Texts();
  queue.state = object["status"]["state"].OneOf(kStates, QueueState::kOpen);
  queue.fifo = spec["dequeueStrategy"].OneOf(kStrategies, false);
  return queue;
}

}  // namespace batholith
