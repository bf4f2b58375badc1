#pragma once

#include <span>
#include <vector>

#include "api/resource_table.h"
#include "api/snapshot.h"

namespace batholith {

// Per-job sums, kept by SessionState::Move.
struct JobCounters {
  std::array<std::int32_t, 10> by_status{};  // index = TaskStatus
  std::int32_t pending_best_effort = 0;      // Pending, ungated or not, asking for nothing
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
  ResourceRow idle(NodeIndex n) const { return on_nodes_[RowOf(n, kIdle)]; }
  ResourceRow used(NodeIndex n) const { return on_nodes_[RowOf(n, kUsed)]; }
  ResourceRow future_idle(NodeIndex n) const { return on_nodes_[RowOf(n, kFutureIdle)]; }
  // As the node's facts have it, beside the columns that it is compared with.
  ResourceRow allocatable(NodeIndex n) const { return on_nodes_[RowOf(n, kAllocatable)]; }
  // Has the node's columns brought near, for whoever reads many nodes in no order.
  void Prefetch(NodeIndex n) const { on_nodes_.Prefetch(RowOf(n, kIdle), kNodeColumns); }
  // Every task that has a place on the node (Pipelined and Releasing ones too), in no fixed order.
  std::span<const TaskIndex> tasks_on(NodeIndex n) const { return tasks_on_[n.value()]; }
  const JobCounters& job(JobIndex j) const { return jobs_[j.value()]; }
  // Σ request of the job's tasks that hold an allocation on a node that exists.
  ResourceRow job_allocated(JobIndex j) const { return job_allocated_[j.value()]; }
  // Σ request of the queue's tasks that hold an allocation.
  ResourceRow queue_allocated(QueueIndex q) const { return queue_allocated_[q.value()]; }

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
  // What lies together of a node is read together.
  enum NodeColumn : std::size_t { kIdle, kFutureIdle, kUsed, kAllocatable, kNodeColumns };
  static std::size_t RowOf(NodeIndex n, NodeColumn column) {
    return n.value() * kNodeColumns + column;
  }
  void Rename(TaskIndex task, TaskStatus status);
  void Detach(TaskIndex task);
  void Attach(TaskIndex task);

  const Snapshot* snapshot_;
  std::vector<TaskStatus> status_;
  std::vector<NodeIndex> node_;
  std::vector<std::uint32_t> slot_;  // position in tasks_on_
  ResourceTable on_nodes_;           // kNodeColumns rows for each node
  std::vector<std::vector<TaskIndex>> tasks_on_;
  std::vector<JobCounters> jobs_;
  ResourceTable job_allocated_;
  ResourceTable queue_allocated_;
  std::vector<JobPhase> phases_;
  std::vector<NodeIndex> touched_;
  std::vector<TaskIndex> moved_;
};

}  // namespace batholith
