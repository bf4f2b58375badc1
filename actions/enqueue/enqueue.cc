#include "actions/enqueue/enqueue.h"

#include "actions/common/job_queue.h"

namespace batholith {

void Enqueue(Session& session, const Arguments&) {
  const Snapshot& snapshot = session.snapshot();
  QueuedJobs waiting(session);
  for (std::size_t j = 0; j < snapshot.jobs.size(); ++j) {
    const JobIndex job(j);
    const bool pending = session.phase(job) == JobPhase::kPending;
    if (pending && !snapshot.job(job).queue.is_none()) waiting.Add(job);
  }
  while (!waiting.empty()) {
    const QueueIndex queue = waiting.Best();
    JobQueue& jobs = waiting.Of(queue);
    if (jobs.empty()) {
      waiting.Drop(queue);
      continue;
    }
    const JobIndex job = jobs.Pop();
    if (!snapshot.job(job).min_resources) {
      session.AdmitWithoutVote(job);
      session.SetPhase(job, JobPhase::kInqueue);
    } else if (session.EnqueueJob(job)) {
      session.SetPhase(job, JobPhase::kInqueue);
    } else if (snapshot.queue(queue).record->fifo) {
      HoldBack(jobs, job, [&](JobIndex j, const Unfit& why) {
        session.RecordEnqueueRefusal(j, {.vote = Vote::kReject, .why = why});
      });
    }
  }
}

}  // namespace batholith
