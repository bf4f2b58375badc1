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
    NamespaceIndex name_space;
    std::vector<JobIndex> heap;
  };
  const Session* session_;
  std::vector<Lane> lanes_;
};

// Pending, ungated tasks of a job in task order. `best_effort` says which kind.
std::vector<TaskIndex> PendingTasks(const Session& session, JobIndex job, bool best_effort);
// Every pending, ungated task, whatever it asks for.
std::vector<TaskIndex> AllPendingTasks(const Session& session, JobIndex job);

// The queue that goes first of those that are left, by the session's order now. REQUIRES: not
// empty.
std::size_t BestQueue(const Session& session, const std::vector<QueueIndex>& queues);

// The jobs that preempt and reclaim look at: admitted, valid, of an existing queue.
bool IsActive(const Session& session, JobIndex job);

// The jobs that ask for victims, by queue, and those queues in index order.
struct StarvingJobs {
  std::map<QueueIndex, JobQueue> by_queue;
  std::vector<QueueIndex> queues;
};
StarvingJobs CollectStarving(const Session& session);

}  // namespace batholith
