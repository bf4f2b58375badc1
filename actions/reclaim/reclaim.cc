#include "actions/reclaim/reclaim.h"

#include <set>

#include "actions/common/job_queue.h"
#include "actions/common/victim_search.h"
#include "framework/statement.h"

namespace batholith {
namespace {

void ReclaimFor(Session& session, JobIndex job) {
  const QueueIndex queue = session.snapshot().job(job).queue;
  Statement statement(session);
  std::set<ClassIndex> failed;
  for (const TaskIndex task : AllPendingTasks(session, job)) {
    if (!session.JobStarving(job)) break;
    if (session.snapshot().task(task).record->preemption_never) continue;
    if (failed.contains(session.task_class(task)) || !session.MayReclaim(queue, task)) continue;
    if (!PlaceWithVictims(session, statement, task, {VictimPolicy::Kind::kReclaim})) {
      failed.insert(session.task_class(task));
    }
  }
  if (session.JobPipelined(job)) statement.Commit();
}

}  // namespace

void Reclaim(Session& session, const Arguments&) {
  auto [starving, queues] = CollectStarving(session);
  while (!queues.empty()) {
    const std::size_t i = BestQueue(session, queues);
    const QueueIndex queue = queues[i];
    for (JobQueue& jobs = starving.at(queue); !jobs.empty() && !session.Overused(queue);) {
      ReclaimFor(session, jobs.Pop());
    }
    queues.erase(queues.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace batholith
