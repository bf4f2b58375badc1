#include "quota/waiting.h"

#include <algorithm>

namespace batholith {

WaitingJobs::WaitingJobs(const Snapshot& snapshot, const QuotaPods& pods,
                         std::span<const QuotaIndex> quota_of, std::size_t quotas)
    : snapshot_(snapshot), pods_(pods), quota_of_(quota_of), jobs_(quotas) {
  for (std::size_t j = 0; j < snapshot.jobs.size(); ++j) {
    if (!quota_of[j].is_none()) jobs_[quota_of[j].value()].emplace_back(j);
  }
  // Jobs stand by age already.
  for (std::vector<JobIndex>& jobs : jobs_) {
    std::ranges::stable_sort(jobs, std::ranges::greater(),
                             [&](JobIndex j) { return snapshot.job(j).priority; });
  }
}

}  // namespace batholith
