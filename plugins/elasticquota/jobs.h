#pragma once

#include <vector>

#include "framework/session_state.h"
#include "quota/forest.h"
#include "quota/pods.h"

namespace batholith {

// To which quotas jobs belong, and what they need of them. Amounts in tree units. What is referred
// to must outlive it.
class QuotaJobs {
 public:
  QuotaJobs(const Snapshot& snapshot, const SessionState& state, const QuotaForest& forest,
            const QuotaPods& pods);

  // That of its first pod; before it has one, that of its namespace or of the group's own label.
  QuotaIndex quota(JobIndex job) const { return quota_[job.value()]; }
  std::span<const QuotaIndex> quotas() const { return quota_; }

  ResourceVector Minimum(JobIndex job) const;
  ResourceVector Allocated(JobIndex job) const;
  // Of the minimum, what the job does not hold yet.
  ResourceVector StillNeeded(JobIndex job) const {
    return (Minimum(job) - Allocated(job)).ClampedAtZero();
  }

 private:
  QuotaIndex Find(const JobFacts& job) const;

  const Snapshot& snapshot_;
  const SessionState& state_;
  const QuotaForest& forest_;
  const QuotaPods& pods_;
  std::vector<QuotaIndex> quota_;  // by job
};

}  // namespace batholith
