#pragma once

#include <span>
#include <vector>

#include "api/snapshot.h"
#include "api/standing.h"

namespace batholith {

// The mutable columns of a session: the only place that changes node, task, job and queue sums.
// As the snapshot has them when a session opens; see Standing for what holds.
class SessionState {
 public:
  explicit SessionState(const Snapshot& snapshot);

  TaskStatus status(TaskIndex t) const { return standing_.status(t); }
  std::span<const TaskStatus> statuses() const { return standing_.statuses(); }  // by TaskIndex
  NodeIndex node(TaskIndex t) const { return standing_.node(t); }
  ResourceRow idle(NodeIndex n) const { return standing_.idle(n); }
  ResourceRow used(NodeIndex n) const { return standing_.used(n); }
  ResourceRow future_idle(NodeIndex n) const { return standing_.future_idle(n); }
  ResourceRow allocatable(NodeIndex n) const { return standing_.allocatable(n); }
  void Prefetch(NodeIndex n) const { standing_.Prefetch(n); }
  std::span<const TaskIndex> tasks_on(NodeIndex n) const { return standing_.tasks_on(n); }
  const JobCounters& job(JobIndex j) const { return standing_.job(j); }
  ResourceRow job_allocated(JobIndex j) const { return standing_.job_allocated(j); }
  ResourceRow queue_allocated(QueueIndex q) const { return standing_.queue_allocated(q); }

  // The current phase of each job, by JobIndex; one that had none yet is Pending.
  JobPhase phase(JobIndex j) const { return phases_[j.value()]; }
  std::span<const JobPhase> phases() const { return phases_; }
  void SetPhase(JobIndex j, JobPhase phase) { phases_[j.value()] = phase; }

  // The only writer of the others. Moves the task to `status` on `node` (none for Pending). Cost:
  // O(dimensions).
  void Move(TaskIndex task, TaskStatus status, NodeIndex node);

  // Nodes whose columns changed, oldest first; readers keep a cursor into it.
  std::span<const NodeIndex> touched() const { return touched_; }
  // Tasks that were moved, oldest first; read in the same way.
  std::span<const TaskIndex> moved() const { return moved_; }

 private:
  const Snapshot* snapshot_;
  Standing standing_;
  std::vector<JobPhase> phases_;
  std::vector<NodeIndex> touched_;
  std::vector<TaskIndex> moved_;
};

}  // namespace batholith
