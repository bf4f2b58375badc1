#pragma once

#include <map>
#include <vector>

#include "framework/session.h"

namespace batholith {

// The jobs of one queue, best first. Within a namespace jobs wait in a heap: only the job that was
// just served changes its rank, and it is out of the heap then. Between namespaces the heads are
// compared anew at each Pop, since their shares move with every placement.
class JobQueue {
 public:
  explicit JobQueue(const Session& session) : session_(&session) {}
  void Push(JobIndex job);
  bool empty() const;
  JobIndex Pop();  // REQUIRES: not empty

 private:
  struct Lane {
    NamespaceIndex namespace_;
    std::vector<JobIndex> heap;
  };
  const Session* session_;
  std::vector<Lane> lanes_;
};

// Pending, ungated tasks of a job that ask for something, in task order.
std::vector<TaskIndex> PendingTasks(const Session& session, JobIndex job);
// Whether nobody is evicted for the task: it says so, or its group does.
bool NeverPreempts(const Snapshot& snapshot, TaskIndex task);
// Every pending, ungated task, whatever it asks for.
std::vector<TaskIndex> AllPendingTasks(const Session& session, JobIndex job);
// Those that ask for nothing and are pending and ungated, or have a reservation only.
std::vector<TaskIndex> UnplacedBestEffortTasks(const Session& session, JobIndex job);

// Whether the job has a pending, ungated task.
bool HasPendingTasks(const Session& session, JobIndex job);

// Jobs by queue, and the queues that are still to be served; the best one is found anew each time,
// since shares move with every placement.
class QueuedJobs {
 public:
  explicit QueuedJobs(const Session& session) : session_(&session) {}
  void Add(JobIndex job);  // REQUIRES: its queue exists
  bool empty() const { return queues_.empty(); }
  QueueIndex Best() const;  // REQUIRES: not empty
  JobQueue& Of(QueueIndex queue) { return jobs_.at(queue); }
  void Drop(QueueIndex queue);

 private:
  const Session* session_;
  std::map<QueueIndex, JobQueue> jobs_;
  std::vector<QueueIndex> queues_;
};

// For a queue with dequeueStrategy fifo. Empties `jobs`: each is told, through `refuse(job, why)`,
// that it waits behind `head`.
template <typename Refuse>
void HoldBack(JobQueue& jobs, JobIndex head, Refuse refuse) {
  const Unfit why{Reason::kBehindInQueue, true, static_cast<std::uint32_t>(head.value())};
  while (!jobs.empty()) refuse(jobs.Pop(), why);
}

// Keeps the order of a fifo queue: where `head` has had its turn and is neither ready nor will be,
// the others wait behind it, and are told so.
void KeepOrder(Session& session, JobQueue& jobs, JobIndex head);

// The jobs that preempt and reclaim look at: admitted, valid, of an existing queue.
bool IsActive(const Session& session, JobIndex job);

// Whether an action that serves jobs runs in this session from now on, or ran before.
bool JobsAreServedLater(const Session& session);
bool JobsWereServed(const Session& session);

// Whether the task's quota has a right to it, so that it is taken back for it whatever else its job
// has.
bool IsOwed(const Session& session, TaskIndex task);
// The jobs that ask for victims: those that starve and, with `owed_too`, those that a quota owes a
// task.
QueuedJobs CollectStarving(const Session& session, bool owed_too);

}  // namespace batholith
