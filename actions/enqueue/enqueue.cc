#include "actions/enqueue/enqueue.h"

#include <map>

#include "actions/common/job_queue.h"

namespace batholith {

void Enqueue(Session& session, const Arguments&) {
  const Snapshot& snapshot = session.snapshot();
  std::map<QueueIndex, JobQueue> waiting;
  std::vector<QueueIndex> queues;
  for (std::size_t j = 0; j < snapshot.jobs.size(); ++j) {
    const JobIndex job(j);
    const QueueIndex queue = snapshot.job(job).queue;
    if (queue.is_none() || session.phase(job) != JobPhase::kPending) continue;
    const auto [it, added] = waiting.try_emplace(queue, session);
    if (added) queues.push_back(queue);
    it->second.Push(job);
  }
  while (!queues.empty()) {
    const std::size_t i = BestQueue(session, queues);
    JobQueue& jobs = waiting.at(queues[i]);
    if (jobs.empty()) {
      queues.erase(queues.begin() + static_cast<std::ptrdiff_t>(i));
      continue;
    }
    const JobIndex job = jobs.Pop();
    if (!snapshot.job(job).min_resources) {
      session.AdmitWithoutVote(job);
      session.SetPhase(job, JobPhase::kInqueue);
    } else if (session.EnqueueJob(job)) {
      session.SetPhase(job, JobPhase::kInqueue);
    }
  }
}

}  // namespace batholith
