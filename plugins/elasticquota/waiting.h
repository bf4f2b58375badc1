#pragma once

#include <span>
#include <vector>

#include "framework/session_state.h"
#include "quota/forest.h"
#include "quota/pods.h"

namespace batholith {

// The jobs of each quota, the more important and then the older first, for a conf under which no
// pod takes what one before it waits for.
class WaitingJobs {
 public:
  // `quota_of`: by JobIndex. What is referred to must outlive it.
  WaitingJobs(const Snapshot& snapshot, const SessionState& state, const QuotaPods& pods,
              std::span<const QuotaIndex> quota_of, std::size_t quotas);

  // The first job before this one that waits and that `refuses(job, need)` is true of; none where
  // there is none. `need`: what its minimum lacks or, where that is met, its next pod. Cost: the
  // jobs before it in its quota.
  template <typename Refuses>
  JobIndex FirstBefore(JobIndex job, Refuses refuses) const {
    const QuotaIndex q = quota_of_[job.value()];
    if (q.is_none()) return {};
    for (const JobIndex before : jobs_[q.value()]) {
      if (before == job) return {};
      const QuotaPod need = NeedOf(before);
      if (need.request != ResourceVector() && refuses(before, need)) return before;
    }
    return {};
  }

 private:
  QuotaPod NeedOf(JobIndex job) const;

  const Snapshot& snapshot_;
  const SessionState& state_;
  const QuotaPods& pods_;
  std::span<const QuotaIndex> quota_of_;
  std::vector<std::vector<JobIndex>> jobs_;  // by quota
};

}  // namespace batholith
