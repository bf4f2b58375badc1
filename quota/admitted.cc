#include "quota/admitted.h"

namespace batholith {

AdmittedJobs::AdmittedJobs(const QuotaForest& forest, bool over_quota_too)
    : forest_(forest),
      over_quota_too_(over_quota_too),
      inqueue_(forest.size()),
      elastic_(forest.size()),
      within_runtime_(forest.size()) {}

void AdmittedJobs::AddElastic(QuotaIndex q, const ResourceVector& amount) {
  for (QuotaIndex at = q; !at.is_none(); at = forest_.node(at).parent)
    elastic_[at.value()] += amount;
}

void AdmittedJobs::Admit(QuotaIndex q, const ResourceVector& amount) {
  for (QuotaIndex at = q; !at.is_none(); at = forest_.node(at).parent)
    inqueue_[at.value()] += amount;
}

std::optional<std::uint32_t> AdmittedJobs::BeyondMax(QuotaIndex q, const ResourceVector& min,
                                                     const ResourceVector& taken) const {
  for (QuotaIndex at = q; !at.is_none(); at = forest_.node(at).parent) {
    const QuotaNode& n = forest_.node(at);
    if (n.role == QuotaRole::kFamily || n.role == QuotaRole::kSystem) break;
    ResourceVector given_back = elastic_[at.value()];
    if (at == q) given_back = ResourceVector::Max(given_back, taken);
    const int above = FirstAbove(n.assigned + inqueue_[at.value()] + min - given_back, n.max_limits,
                                 AskedDimensions(min, forest_.dimensions()), forest_.dimensions());
    if (above >= 0) return static_cast<std::uint32_t>(above);
  }
  return std::nullopt;
}

bool AdmittedJobs::IsGuaranteed(QuotaIndex q, const ResourceVector& min) const {
  if (q.is_none() || forest_.node(q).role != QuotaRole::kQuota || !forest_.node(q).broken.empty())
    return false;
  const QuotaNode& n = forest_.node(q);
  const ResourceVector held = n.assigned + inqueue_[q.value()];
  if (!forest_.OverMin(q, held, min)) return true;
  if (!over_quota_too_ || n.policy.share != QuotaPolicy::Share::kGuaranteedOverQuota) return false;
  const ResourceVector fair =
      n.min.values() + GuaranteedOverQuota(forest_.SumsOf(n.dialect), n.min, forest_.dimensions());
  const std::uint32_t asked = AskedDimensions(min, forest_.dimensions());
  return FirstAbove(held + min, fair, asked & forest_.BoundedBeside(q), forest_.dimensions()) < 0;
}

// As places are given: a runtime above the job's own quota holds where the conf checks it.
bool AdmittedJobs::LimitsByRuntime(QuotaIndex at, QuotaIndex own) const {
  const QuotaNode& n = forest_.node(at);
  if (n.role != QuotaRole::kQuota || n.policy.limit != QuotaPolicy::Limit::kRuntime) return false;
  return at == own || forest_.options().check_parent || forest_.options().monitor_all;
}

bool AdmittedJobs::HoldsBack(QuotaIndex q, const ResourceVector& needed) const {
  const std::uint32_t asked = AskedDimensions(needed, forest_.dimensions());
  for (QuotaIndex at = q; !at.is_none(); at = forest_.node(at).parent) {
    if (!LimitsByRuntime(at, q)) continue;
    const QuotaNode& n = forest_.node(at);
    if (FirstAbove(n.assigned + within_runtime_[at.value()] + needed, forest_.LimitOf(at),
                   asked & n.max.present(), forest_.dimensions()) >= 0)
      return true;
  }
  return false;
}

void AdmittedJobs::Promise(QuotaIndex q, const ResourceVector& needed) {
  for (QuotaIndex at = q; !at.is_none(); at = forest_.node(at).parent)
    within_runtime_[at.value()] += needed;
}

}  // namespace batholith
