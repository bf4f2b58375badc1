#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "api/resource_table.h"
#include "api/snapshot.h"

namespace batholith {

// Per-job sums of a Standing.
struct JobCounters {
  std::array<std::int32_t, 10> by_status{};  // index = TaskStatus
  std::int32_t pending_best_effort = 0;      // Pending, ungated or not, asking for nothing
  std::int32_t nowhere = 0;                  // they hold an allocation on no node that there is
  std::int32_t Of(TaskStatus s) const { return by_status[static_cast<std::size_t>(s)]; }
  std::int32_t Ready() const {
    return Of(TaskStatus::kBound) + Of(TaskStatus::kBinding) + Of(TaskStatus::kRunning) +
           Of(TaskStatus::kAllocated) + Of(TaskStatus::kSucceeded);
  }
  std::int32_t Waiting() const { return Of(TaskStatus::kPipelined); }
  // Whose request counts as the job's.
  std::int32_t Holding() const { return Ready() - Of(TaskStatus::kSucceeded) - nowhere; }
  bool operator==(const JobCounters&) const = default;
};

// Where the tasks of a snapshot stand, and every sum of it by node, job and queue. Invariants: idle
// = allocatable − used per node; used = Σ request of the tasks on the node that are not Pipelined;
// future idle = idle + releasing − pipelined. A session has one that it changes; one that belongs
// to a snapshot follows its facts. Columns, so that a copy costs little: some 20 bytes a task.
class Standing {
 public:
  // As the facts have it. Cost: O(tasks).
  explicit Standing(const Snapshot& snapshot);

  TaskStatus status(TaskIndex t) const { return status_[t.value()]; }
  std::span<const TaskStatus> statuses() const { return status_; }  // by TaskIndex
  NodeIndex node(TaskIndex t) const { return node_[t.value()]; }
  ResourceRow idle(NodeIndex n) const { return on_nodes_[RowOf(n, kIdle)]; }
  ResourceRow used(NodeIndex n) const { return on_nodes_[RowOf(n, kUsed)]; }
  ResourceRow future_idle(NodeIndex n) const { return on_nodes_[RowOf(n, kFutureIdle)]; }
  // As the node's facts have it, beside the columns that it is compared with.
  ResourceRow allocatable(NodeIndex n) const { return on_nodes_[RowOf(n, kAllocatable)]; }
  // Has the node's columns brought near, for whoever reads many nodes in no order.
  void Prefetch(NodeIndex n) const { on_nodes_.Prefetch(RowOf(n, kIdle), kNodeColumns); }
  // Every task that has a place on the node (Pipelined and Releasing ones too), in no fixed order.
  // Valid until a task is moved.
  std::span<const TaskIndex> tasks_on(NodeIndex n) const {
    const Block& block = blocks_[n.value()];
    return std::span(on_node_).subspan(block.begin, block.size);
  }
  const JobCounters& job(JobIndex j) const { return jobs_[j.value()]; }
  // Σ request of the job's tasks that hold an allocation on a node that exists.
  ResourceRow job_allocated(JobIndex j) const { return job_allocated_[j.value()]; }
  // Σ request of the queue's tasks that hold an allocation.
  ResourceRow queue_allocated(QueueIndex q) const { return queue_allocated_[q.value()]; }

  // Moves the task to `status` on `node` (none for Pending). True: the sums of the node it left, or
  // of the one it came to, are others. Cost: O(dimensions).
  struct Touched {
    NodeIndex left, came;  // none: no node's sums have changed
  };
  Touched Move(const Snapshot& snapshot, TaskIndex task, TaskStatus status, NodeIndex node);

  // For whoever changes the facts of a snapshot: what changes is taken off before, and put on
  // after. The task's part in the sums of its job is that of LeaveQueue and CountJob.
  void TakeOff(const Snapshot& snapshot, TaskIndex task) { LeaveNode(snapshot, task); }
  void PutOn(const Snapshot& snapshot, TaskIndex task);
  void LeaveQueue(const Snapshot& snapshot, JobIndex job);
  void CountJob(const Snapshot& snapshot, JobIndex job);
  void Offer(NodeIndex node, const ResourceVector& before, const ResourceVector& now);
  // Tasks, or jobs, are numbered anew: where each stands now, by where it stood (UINT32_MAX: it is
  // gone); empty: where it stood. Those that are new have no place, and nothing.
  void RenumberTasks(std::span<const std::uint32_t> numbers, std::size_t tasks);
  void RenumberJobs(std::span<const std::uint32_t> numbers, std::size_t jobs);

 private:
  // What lies together of a node is read together.
  enum NodeColumn : std::size_t { kIdle, kFutureIdle, kUsed, kAllocatable, kNodeColumns };
  static std::size_t RowOf(NodeIndex n, NodeColumn column) {
    return n.value() * kNodeColumns + column;
  }
  // A node's part of on_node_.
  struct Block {
    std::uint32_t begin = 0, size = 0, room = 0;
  };
  void Rename(JobIndex job, TaskStatus before, TaskStatus now);
  bool LeaveNode(const Snapshot& snapshot, TaskIndex task);
  bool ComeToNode(const Snapshot& snapshot, TaskIndex task);
  void CountTask(const Snapshot& snapshot, TaskIndex task, int sign);
  void Enlarge(Block& block);
  void Compact();

  std::vector<TaskStatus> status_;
  std::vector<NodeIndex> node_;
  std::vector<std::uint32_t> slot_;  // position in the node's block
  ResourceTable on_nodes_;           // kNodeColumns rows for each node
  std::vector<Block> blocks_;
  std::vector<TaskIndex> on_node_;  // in blocks, with room between them
  std::vector<JobCounters> jobs_;
  ResourceTable job_allocated_;
  ResourceTable queue_allocated_;
};

}  // namespace batholith
