#include "framework/session_state.h"

#include <utility>

#include "api/check.h"

namespace batholith {
namespace {

bool OnNode(TaskStatus s) {
  return HoldsAllocation(s) || s == TaskStatus::kPipelined || s == TaskStatus::kReleasing ||
         s == TaskStatus::kUnknown;
}

// Who was written onto a node that does not exist takes nothing from anybody: else one pod with a
// name of its own making and a million cpus would fill its queue.
bool Holds(TaskStatus s, NodeIndex node) { return HoldsAllocation(s) && !node.is_none(); }

}  // namespace

SessionState::SessionState(const Snapshot& snapshot)
    : snapshot_(&snapshot),
      status_(snapshot.tasks.size()),
      node_(snapshot.tasks.size()),
      slot_(snapshot.tasks.size()),
      on_nodes_(snapshot.nodes.size() * kNodeColumns, snapshot.schema.size()),
      tasks_on_(snapshot.nodes.size()),
      jobs_(snapshot.jobs.size()),
      job_allocated_(snapshot.jobs.size(), snapshot.schema.size()),
      queue_allocated_(snapshot.queues.size(), snapshot.schema.size()) {
  phases_.reserve(snapshot.jobs.size());
  for (const JobFacts& job : snapshot.jobs) {
    const JobPhase phase = job.record->phase;
    phases_.push_back(phase == JobPhase::kNone ? JobPhase::kPending : phase);
  }
  for (std::size_t n = 0; n < snapshot.nodes.size(); ++n) {
    for (const NodeColumn column : {kIdle, kFutureIdle, kAllocatable})
      on_nodes_.Set(RowOf(NodeIndex(n), column), snapshot.nodes[n].allocatable);
  }
  std::vector<std::uint32_t> on_node(snapshot.nodes.size());
  for (const TaskFacts& task : snapshot.tasks) {
    if (!task.node.is_none() && OnNode(task.status)) ++on_node[task.node.value()];
  }
  for (std::size_t n = 0; n < on_node.size(); ++n) tasks_on_[n].reserve(on_node[n] + 1);
  for (std::size_t t = 0; t < snapshot.tasks.size(); ++t) {
    status_[t] = snapshot.tasks[t].status;
    node_[t] = snapshot.tasks[t].node;
    Attach(TaskIndex(t));
  }
  touched_.clear();
}

void SessionState::Move(TaskIndex task, TaskStatus status, NodeIndex node) {
  moved_.push_back(task);
  if (node == node_[task.value()] && HoldsAllocation(status) &&
      HoldsAllocation(status_[task.value()])) {
    return Rename(task, status);
  }
  Detach(task);
  status_[task.value()] = status;
  node_[task.value()] = node;
  Attach(task);
}

// It holds what it held, where it held it.
void SessionState::Rename(TaskIndex task, TaskStatus status) {
  const TaskStatus before = std::exchange(status_[task.value()], status);
  const JobIndex job = snapshot_->task(task).job;
  if (job.is_none()) return;
  JobCounters& counters = jobs_[job.value()];
  --counters.by_status[static_cast<std::size_t>(before)];
  ++counters.by_status[static_cast<std::size_t>(status)];
}

void SessionState::Detach(TaskIndex task) {
  const TaskFacts& facts = snapshot_->task(task);
  const TaskStatus s = status_[task.value()];
  const NodeIndex n = node_[task.value()];
  if (!facts.job.is_none()) {
    JobCounters& job = jobs_[facts.job.value()];
    --job.by_status[static_cast<std::size_t>(s)];
    if (s == TaskStatus::kPending && facts.best_effort) --job.pending_best_effort;
    if (Holds(s, n)) {
      job_allocated_.Subtract(facts.job.value(), facts.request);
      const QueueIndex queue = snapshot_->job(facts.job).queue;
      if (!queue.is_none()) queue_allocated_.Subtract(queue.value(), facts.request);
    }
  }
  if (n.is_none() || !OnNode(s)) return;
  const std::size_t i = n.value();
  if (s == TaskStatus::kPipelined) {
    on_nodes_.Add(RowOf(n, kFutureIdle), facts.request);
  } else {
    on_nodes_.Subtract(RowOf(n, kUsed), facts.request);
    on_nodes_.Add(RowOf(n, kIdle), facts.request);
    if (s != TaskStatus::kReleasing) on_nodes_.Add(RowOf(n, kFutureIdle), facts.request);
  }
  std::vector<TaskIndex>& on = tasks_on_[i];
  const std::uint32_t slot = slot_[task.value()];
  on[slot] = on.back();
  slot_[on[slot].value()] = slot;
  on.pop_back();
  touched_.push_back(n);
}

void SessionState::Attach(TaskIndex task) {
  const TaskFacts& facts = snapshot_->task(task);
  const TaskStatus s = status_[task.value()];
  const NodeIndex n = node_[task.value()];
  if (!facts.job.is_none()) {
    JobCounters& job = jobs_[facts.job.value()];
    ++job.by_status[static_cast<std::size_t>(s)];
    if (s == TaskStatus::kPending && facts.best_effort) ++job.pending_best_effort;
    if (Holds(s, n)) {
      job_allocated_.Add(facts.job.value(), facts.request);
      const QueueIndex queue = snapshot_->job(facts.job).queue;
      if (!queue.is_none()) queue_allocated_.Add(queue.value(), facts.request);
    }
  }
  if (n.is_none() || !OnNode(s)) return;
  const std::size_t i = n.value();
  if (s == TaskStatus::kPipelined) {
    on_nodes_.Subtract(RowOf(n, kFutureIdle), facts.request);
  } else {
    on_nodes_.Add(RowOf(n, kUsed), facts.request);
    on_nodes_.Subtract(RowOf(n, kIdle), facts.request);
    if (s != TaskStatus::kReleasing) on_nodes_.Subtract(RowOf(n, kFutureIdle), facts.request);
  }
  slot_[task.value()] = static_cast<std::uint32_t>(tasks_on_[i].size());
  tasks_on_[i].push_back(task);
  touched_.push_back(n);
}

}  // namespace batholith
