#pragma once

#include <optional>
#include <vector>

#include "quota/admission.h"
#include "quota/forest.h"

namespace batholith {

// A pod that may have to leave.
struct QuotaCandidate {
  QuotaIndex quota;  // none: bound to no quota
  const QuotaPod* pod = nullptr;
  bool over_quota = false;  // of the nos dialect: labelled over-quota
  // Resources that the preemptor would be short of in the candidate's place, or its quotas are.
  std::uint32_t lacked = ~std::uint32_t{0};
};

// Judges candidates one after another, each on sums from which those already taken are gone
// by the rules of its dialect. One walk serves one preemptor.
class QuotaVictimWalk {
 public:
  // `preemptor_quota`: none for a preemptor without a quota. `needed`: the resources that the
  // preemptor lacks; only these make a quota over its min or share, where the options say so.
  QuotaVictimWalk(const QuotaForest& forest, QuotaIndex preemptor_quota, const QuotaPod& preemptor,
                  std::uint32_t needed, OwnReservation own = OwnReservation::kNone);

  // Whether the candidate may go; if so it is taken.
  bool Take(const QuotaCandidate& candidate);

 private:
  ResourceVector& UsedOf(QuotaIndex q);
  bool Own(const QuotaCandidate& c) const;
  bool Cross(const QuotaCandidate& c);
  bool FairShare(const QuotaCandidate& c);
  bool BelowMinWithout(const QuotaCandidate& c, const ResourceVector& used) const;
  bool ReclaimNow(const QuotaCandidate& c);
  std::uint32_t Looked(QuotaIndex q, const ResourceVector& used, const QuotaCandidate& c) const;
  bool AboveShare(QuotaIndex q, const ResourceVector& used, std::uint32_t looked) const;

  const QuotaForest& forest_;
  QuotaIndex preemptor_quota_;
  const QuotaPod& preemptor_;
  std::uint32_t needed_;
  bool over_min_ = false;  // the preemptor's quota, with the preemptor
  ResourceVector inflight_;
  OverQuotaSums sums_;
  std::vector<std::pair<QuotaIndex, ResourceVector>> used_;  // of quotas that lost something
};

}  // namespace batholith
