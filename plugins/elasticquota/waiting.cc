#include "plugins/elasticquota/waiting.h"

#include <algorithm>

namespace batholith {

WaitingJobs::WaitingJobs(const Snapshot& snapshot, const SessionState& state, const QuotaPods& pods,
                         std::span<const QuotaIndex> quota_of, std::size_t quotas)
    : snapshot_(snapshot), state_(state), pods_(pods), quota_of_(quota_of), jobs_(quotas) {
  for (std::size_t j = 0; j < snapshot.jobs.size(); ++j) {
    if (!quota_of[j].is_none()) jobs_[quota_of[j].value()].emplace_back(j);
  }
  // Jobs stand by age already.
  for (std::vector<JobIndex>& jobs : jobs_) {
    std::ranges::stable_sort(jobs, std::ranges::greater(),
                             [&](JobIndex j) { return snapshot.job(j).priority; });
  }
}

QuotaPod WaitingJobs::NeedOf(JobIndex job) const {
  const JobFacts& facts = snapshot_.job(job);
  QuotaPod need;
  if (facts.never_starts() || facts.queue.is_none()) return need;
  std::int32_t lacking = std::max(facts.min_available - state_.job(job).Ready(), 1);
  for (const TaskIndex t : facts.tasks) {
    if (state_.status(t) != TaskStatus::kPending || snapshot_.task(t).gated) continue;
    const QuotaPod& pod = pods_.pod(t);
    need.request += pod.request;
    need.priority = pod.priority;
    need.preemptible = pod.preemptible;
    if (--lacking == 0) break;
  }
  return need;
}

}  // namespace batholith
