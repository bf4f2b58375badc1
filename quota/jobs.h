#pragma once

#include <span>
#include <vector>

#include "quota/forest.h"
#include "quota/pods.h"

namespace batholith {

// To which quotas jobs belong, and what they need of them. Amounts in tree units. What is referred
// to must outlive it.
class QuotaJobs {
 public:
  QuotaJobs(const Snapshot& snapshot, const QuotaForest& forest, const QuotaPods& pods);

  // That of its first pod; before it has one, that of its namespace or of the group's own label.
  QuotaIndex quota(JobIndex job) const { return quota_[job.value()]; }
  std::span<const QuotaIndex> quotas() const { return quota_; }

  ResourceVector Minimum(JobIndex job) const;
  // What the job holds, of which `allocated` is what it asked for, in base units.
  ResourceVector Allocated(JobIndex job, const ResourceVector& allocated) const;
  // Of the minimum, what it does not hold yet.
  ResourceVector StillNeeded(JobIndex job, const ResourceVector& allocated) const {
    return (Minimum(job) - Allocated(job, allocated)).ClampedAtZero();
  }

 private:
  QuotaIndex Find(const JobFacts& job) const;

  const Snapshot& snapshot_;
  const QuotaForest& forest_;
  const QuotaPods& pods_;
  std::vector<QuotaIndex> quota_;  // by job
};

}  // namespace batholith
