#pragma once

#include <optional>
#include <vector>

#include "quota/forest.h"

namespace batholith {

// What jobs that were admitted are still to get in their quotas, and what jobs hold beyond their
// minimums, each with what is above it in the tree. Amounts in tree units; a quota that is none is
// passed over.
class AdmittedJobs {
 public:
  // `over_quota_too`: action reclaim runs, so that a guaranteed part of what is unused comes back.
  AdmittedJobs(const QuotaForest& forest, bool over_quota_too);

  // A job holds so much beyond its minimum, which can be taken back.
  void AddElastic(QuotaIndex q, const ResourceVector& amount);
  // A job was admitted and is to get so much.
  void Admit(QuotaIndex q, const ResourceVector& amount);
  const ResourceVector& inqueue(QuotaIndex q) const { return inqueue_[q.value()]; }

  // The first resource in which a job that asks for `min` would go beyond the max of its quota or
  // of one above, where of its own quota `taken` can be taken back beside what is elastic.
  std::optional<std::uint32_t> BeyondMax(QuotaIndex q, const ResourceVector& min,
                                         const ResourceVector& taken) const;
  // Whether the job stays within the min of its quota, or within that and its guaranteed
  // over-quota.
  bool IsGuaranteed(QuotaIndex q, const ResourceVector& min) const;

  // Admitted jobs are asked about one after another: whether the runtime of a quota has no place
  // now for what the job needs, beside those before it that were promised one.
  void StartOver() { within_runtime_.assign(forest_.size(), {}); }
  bool HoldsBack(QuotaIndex q, const ResourceVector& needed) const;
  void Promise(QuotaIndex q, const ResourceVector& needed);

 private:
  bool LimitsByRuntime(QuotaIndex at, QuotaIndex own) const;

  const QuotaForest& forest_;
  bool over_quota_too_;
  std::vector<ResourceVector> inqueue_;         // by quota
  std::vector<ResourceVector> elastic_;         // by quota
  std::vector<ResourceVector> within_runtime_;  // by quota: of inqueue_, what has a place
};

}  // namespace batholith
