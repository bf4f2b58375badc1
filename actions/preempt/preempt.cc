#include "actions/preempt/preempt.h"

#include <set>

#include "actions/common/job_queue.h"
#include "actions/common/victim_search.h"
#include "framework/statement.h"

namespace batholith {
namespace {

using Kind = VictimPolicy::Kind;

// Reserves places for the job's tasks while it starves. A class that found no place is not tried
// again: nothing that this statement does makes room for it.
void PlaceGang(Session& session, JobIndex job, Statement& statement) {
  std::set<ClassIndex> failed;
  for (const TaskIndex task : AllPendingTasks(session, job)) {
    if (!session.JobStarving(job)) return;
    if (session.snapshot().task(task).record->preemption_never) continue;
    if (failed.contains(session.task_class(task))) continue;
    if (!PlaceWithVictims(session, statement, task, {Kind::kPreemptJobs}))
      failed.insert(session.task_class(task));
  }
}

// A task may take the place of a less important one of its own job, when the gang is whole with it.
void PreemptWithin(Session& session, JobIndex job) {
  for (const TaskIndex task : AllPendingTasks(session, job)) {
    if (!session.JobStarving(job) || session.snapshot().task(task).record->preemption_never) return;
    Statement statement(session);
    const bool placed = PlaceWithVictims(session, statement, task, {Kind::kPreemptWithin});
    if (!placed || statement.evicted().empty() || !session.JobPipelined(job)) return;
    statement.Commit();
  }
}

}  // namespace

void Preempt(Session& session, const Arguments&) {
  auto [starving, queues] = CollectStarving(session);
  while (!queues.empty()) {
    const std::size_t i = BestQueue(session, queues);
    const QueueIndex queue = queues[i];
    std::vector<JobIndex> jobs_of_queue;
    for (JobQueue& jobs = starving.at(queue); !jobs.empty();) {
      const JobIndex job = jobs.Pop();
      jobs_of_queue.push_back(job);
      Statement statement(session);
      PlaceGang(session, job, statement);
      if (session.JobPipelined(job)) statement.Commit();
    }
    for (const JobIndex job : jobs_of_queue) PreemptWithin(session, job);
    queues.erase(queues.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace batholith
