#include "actions/enqueue/enqueue.h"

#include "actions/common/job_queue.h"
#include "framework/session.h"

namespace batholith {
namespace {

constexpr RetiredArgument kRetired[] = {
    {"overcommit-factor", "it moved to the plugin overcommit (argument overcommit-factor)"},
};

void Enqueue(Session& session) {
  const Snapshot& snapshot = session.snapshot();
  QueuedJobs waiting(session);
  for (std::size_t j = 0; j < snapshot.jobs.size(); ++j) {
    const JobIndex job(j);
    const bool pending = session.state().phase(job) == JobPhase::kPending;
    if (pending && !snapshot.job(job).queue.is_none()) waiting.Add(job);
  }
  if (waiting.empty()) return;
  session.chains().OnAdmission(/*open=*/true);
  for (std::size_t j = 0; j < snapshot.jobs.size(); ++j) {
    if (session.state().phase(JobIndex(j)) == JobPhase::kInqueue)
      session.chains().TellIfHeldBack(JobIndex(j));
  }
  while (!waiting.empty()) {
    const QueueIndex queue = waiting.Best();
    JobQueue& jobs = waiting.Of(queue);
    if (jobs.empty()) {
      waiting.Drop(queue);
      continue;
    }
    const JobIndex job = jobs.Pop();
    // A group without minResources needs nobody's vote.
    const EnqueueVote vote = snapshot.job(job).min_resources ? session.chains().EnqueueJob(job)
                                                             : EnqueueVote{.vote = Vote::kPermit};
    if (vote.vote != Vote::kReject) {
      session.chains().OnJobAdmitted(job);
      session.SetPhase(job, JobPhase::kInqueue);
      continue;
    }
    session.attempts().RecordEnqueueRefusal(job, vote);
    if (snapshot.queue(queue).record->fifo) {
      HoldBack(jobs, job, [&](JobIndex j, const Unfit& why) {
        session.attempts().RecordEnqueueRefusal(j, {.vote = Vote::kReject, .why = why});
      });
    }
  }
  session.chains().OnAdmission(/*open=*/false);
}

}  // namespace

ActionDescriptor EnqueueAction() {
  return DescribeAction<Enqueue>({
      .name = "enqueue",
      .summary = "admits jobs whose minimum there is room for",
      .retired = kRetired,
      .asks = {Point::kJobEnqueued},
      .admits = true,
  });
}

}  // namespace batholith
