#include "codec/kinds.h"

namespace batholith {

namespace {

QueueState ReadState(const Field& state) {
  const std::string text = state.Text();
  if (text.empty() || text == "Open") return QueueState::kOpen;
  if (text == "Closed") return QueueState::kClosed;
  if (text == "Closing") return QueueState::kClosing;
  if (text == "Unknown") return QueueState::kUnknown;
  state.FailChoice(text, "Open, Closing, Closed, Unknown");
}

bool ReadIsFifo(const Field& strategy) {
  const std::string text = strategy.Text();
  if (text.empty() || text == "traverse") return false;
  if (text == "fifo") return true;
  strategy.FailChoice(text, "fifo, traverse");
}

}  // namespace

QueueRecord ReadQueue(const Field& object) {
  QueueRecord queue;
  queue.meta = ReadMeta(object);
  const Field spec = object["spec"];
  queue.weight = static_cast<std::int32_t>(spec["weight"].Int(1, 1, 1'000'000'000));
  queue.priority = static_cast<std::int32_t>(spec["priority"].Int(0, 0, INT32_MAX));
  if (spec["reclaimable"].present()) queue.reclaimable = spec["reclaimable"].Bool(true);
  queue.capability = spec["capability"].Resources();
  queue.guarantee = spec["guarantee"]["resource"].Resources();
  queue.deserved = spec["deserved"].Resources();
  queue.parent = spec["parent"].Text();
  const Field like = spec["affinity"]["nodeGroupAffinity"];
  const Field unlike = spec["affinity"]["nodeGroupAntiAffinity"];
  queue.affinity.required = like["requiredDuringSchedulingIgnoredDuringExecution"].Texts();
  queue.affinity.preferred = like["preferredDuringSchedulingIgnoredDuringExecution"].Texts();
  queue.affinity.anti_required = unlike["requiredDuringSchedulingIgnoredDuringExecution"].Texts();
  queue.affinity.anti_preferred = unlike["preferredDuringSchedulingIgnoredDuringExecution"].Texts();
  queue.state = ReadState(object["status"]["state"]);
  queue.fifo = ReadIsFifo(spec["dequeueStrategy"]);
  return queue;
}

}  // namespace batholith
