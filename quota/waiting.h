#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "quota/forest.h"
#include "quota/pods.h"

namespace batholith {

// The jobs of each quota, the more important and then the older first, for a conf under which no
// pod takes what one before it waits for.
class WaitingJobs {
 public:
  // `quota_of`: by JobIndex. What is referred to must outlive it.
  WaitingJobs(const Snapshot& snapshot, const QuotaPods& pods, std::span<const QuotaIndex> quota_of,
              std::size_t quotas);

  // The first job before this one that waits and that `refuses(job, need)` is true of; none where
  // there is none. `need`: what its minimum lacks or, where that is met, its next pod. Cost: the
  // jobs before it in its quota.
  // `state`: status(task) and job(job).Ready() as the session stands.
  template <typename State, typename Refuses>
  JobIndex FirstBefore(JobIndex job, const State& state, Refuses refuses) const {
    const QuotaIndex q = quota_of_[job.value()];
    if (q.is_none()) return {};
    for (const JobIndex before : jobs_[q.value()]) {
      if (before == job) return {};
      const QuotaPod need = NeedOf(before, state);
      if (need.request != ResourceVector() && refuses(before, need)) return before;
    }
    return {};
  }

 private:
  template <typename State>
  QuotaPod NeedOf(JobIndex job, const State& state) const {
    const JobFacts& facts = snapshot_.job(job);
    QuotaPod need;
    if (facts.never_starts() || facts.queue.is_none()) return need;
    std::int32_t lacking = std::max(facts.min_available - state.job(job).Ready(), 1);
    for (const TaskIndex t : facts.tasks) {
      if (state.status(t) != TaskStatus::kPending || snapshot_.task(t).gated) continue;
      const QuotaPod& pod = pods_.pod(t);
      need.request += pod.request;
      need.priority = pod.priority;
      need.preemptible = pod.preemptible;
      if (--lacking == 0) break;
    }
    return need;
  }

  const Snapshot& snapshot_;
  const QuotaPods& pods_;
  std::span<const QuotaIndex> quota_of_;
  std::vector<std::vector<JobIndex>> jobs_;  // by quota
};

}  // namespace batholith
