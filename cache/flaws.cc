#include "cache/flaws.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace batholith {
namespace {

using QueuesByName = std::unordered_map<std::string_view, const QueueRecord*>;  // looked up only

// A limit that cannot be read may be that of a queue above. Parents may go round in a circle.
const QueueRecord* FlawedOnTheWayUp(const QueueRecord* at, const QueuesByName& queues) {
  for (std::size_t steps = 0; at != nullptr && steps <= queues.size(); ++steps) {
    if (!at->meta.flaw.empty()) return at;
    const auto parent = queues.find(at->parent);
    at = parent == queues.end() ? nullptr : parent->second;
  }
  return nullptr;
}

void FindFlawedQueues(Snapshot& snapshot) {
  const auto flawed = [](const QueueFacts& q) { return !q.record->meta.flaw.empty(); };
  if (std::ranges::none_of(snapshot.queues, flawed)) return;
  QueuesByName queues;
  for (const QueueFacts& queue : snapshot.queues)
    queues.emplace(queue.record->meta.name, queue.record);
  for (QueueFacts& queue : snapshot.queues) queue.flawed = FlawedOnTheWayUp(queue.record, queues);
}

bool IsHeld(const Snapshot& snapshot, const TaskFacts& task) {
  if (!task.record->meta.flaw.empty()) return true;
  if (task.job.is_none()) return false;
  const JobFacts& job = snapshot.job(task.job);
  return !job.record->meta.flaw.empty() ||
         (!job.queue.is_none() && snapshot.queue(job.queue).flawed != nullptr);
}

bool TakesUnknownRoom(const TaskFacts& task) {
  return task.record->request_unread && !task.node.is_none() &&
         task.status != TaskStatus::kSucceeded && task.status != TaskStatus::kFailed;
}

}  // namespace

void HoldWhatIsUnread(Snapshot& snapshot) {
  FindFlawedQueues(snapshot);
  for (NodeFacts& node : snapshot.nodes)
    node.closed = node.closed || !node.record->meta.flaw.empty();
  for (TaskFacts& task : snapshot.tasks) {
    if (IsHeld(snapshot, task)) task.gated = true;
    if (TakesUnknownRoom(task)) snapshot.nodes[task.node.value()].closed = true;
  }
  for (NodeFacts& node : snapshot.nodes) node.usable = node.usable && !node.closed;
}

}  // namespace batholith
