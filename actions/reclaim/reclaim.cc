#include "actions/reclaim/reclaim.h"

#include <map>
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
  const Snapshot& snapshot = session.snapshot();
  std::map<QueueIndex, JobQueue> starving;
  std::vector<QueueIndex> queues;
  for (std::size_t j = 0; j < snapshot.jobs.size(); ++j) {
    const JobIndex job(j);
    if (!IsActive(session, job) || !session.JobStarving(job) ||
        AllPendingTasks(session, job).empty())
      continue;
    const QueueIndex queue = snapshot.job(job).queue;
    const auto [it, added] = starving.try_emplace(queue, session);
    if (added) queues.push_back(queue);
    it->second.Push(job);
  }
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
