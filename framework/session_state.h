#pragma once

#include <span>
#include <vector>

#include "api/snapshot.h"

namespace batholith {

// Per-job sums, kept by SessionState::Move.
struct JobCounters {
  std::array<std::int32_t, 10> by_status{};  // index = TaskStatus
  std::int32_t pending_best_effort = 0;      // Pending, ungated or not, asking for nothing
  ResourceVector allocated;                  // Σ request of tasks that hold an allocation on a
                                             // node that exists
  std::int32_t Of(TaskStatus s) const { return by_status[static_cast<std::size_t>(s)]; }
  std::int32_t Ready() const {
    return Of(TaskStatus::kBound) + Of(TaskStatus::kBinding) + Of(TaskStatus::kRunning) +
           Of(TaskStatus::kAllocated) + Of(TaskStatus::kSucceeded);
  }
  std::int32_t Waiting() const { return Of(TaskStatus::kPipelined); }
};

// The mutable columns of a session: the only place that changes node, task, job and queue sums.
// Copied from the snapshot when a session opens. Invariants: idle = allocatable − used per node;
// used = Σ request of the tasks on the node that are not Pipelined; future idle = idle + releasing
// − pipelined.
class SessionState {
 public:
  explicit SessionState(const Snapshot& snapshot);

  TaskStatus status(TaskIndex t) const { return status_[t.value()]; }
  NodeIndex node(TaskIndex t) const { return node_[t.value()]; }
  const ResourceVector& idle(NodeIndex n) const { return idle_[n.value()]; }
  const ResourceVector& used(NodeIndex n) const { return used_[n.value()]; }
  const ResourceVector& future_idle(NodeIndex n) const { return future_idle_[n.value()]; }
  // Every task that has a place on the node (Pipelined and Releasing ones too), in no fixed order.
  std::span<const TaskIndex> tasks_on(NodeIndex n) const { return tasks_on_[n.value()]; }
  const JobCounters& job(JobIndex j) const { return jobs_[j.value()]; }
  // Σ request of the queue's tasks that hold an allocation.
  const ResourceVector& queue_allocated(QueueIndex q) const { return queue_allocated_[q.value()]; }

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
  void Detach(TaskIndex task);
  void Attach(TaskIndex task);

  const Snapshot* snapshot_;
  std::vector<TaskStatus> status_;
  std::vector<NodeIndex> node_;
  std::vector<std::uint32_t> slot_;  // position in tasks_on_
  std::vector<ResourceVector> idle_;
  std::vector<ResourceVector> used_;
  std::vector<ResourceVector> future_idle_;
  std::vector<std::vector<TaskIndex>> tasks_on_;
  std::vector<JobCounters> jobs_;
  std::vector<ResourceVector> queue_allocated_;
  std::vector<JobPhase> phases_;
  std::vector<NodeIndex> touched_;
  std::vector<TaskIndex> moved_;
};

}  // namespace batholith
