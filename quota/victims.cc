#include "quota/victims.h"

#include <algorithm>

namespace batholith {

QuotaVictimWalk::QuotaVictimWalk(const QuotaForest& forest, QuotaIndex preemptor_quota,
                                 const QuotaPod& preemptor, std::uint32_t needed,
                                 OwnReservation reservation)
    : forest_(forest), preemptor_quota_(preemptor_quota), preemptor_(preemptor), needed_(needed) {
  if (preemptor_quota.is_none()) return;
  const QuotaNode& own = forest.node(preemptor_quota);
  inflight_ = forest.Inflight(preemptor_quota, preemptor.priority,
                              reservation == OwnReservation::kNone ? nullptr : &preemptor);
  over_min_ = forest.OverMin(preemptor_quota, own.assigned, preemptor.request + inflight_);
  sums_ = forest.SumsOf(own.dialect);
}

ResourceVector& QuotaVictimWalk::UsedOf(QuotaIndex q) {
  for (auto& [known, used] : used_) {
    if (known == q) return used;
  }
  return used_.emplace_back(q, forest_.node(q).assigned).second;
}

bool QuotaVictimWalk::Take(const QuotaCandidate& c) {
  if (preemptor_quota_.is_none() || c.quota.is_none()) {
    if (!preemptor_quota_.is_none() || !c.quota.is_none()) return false;
    return !forest_.options().strict || c.pod->priority < preemptor_.priority;
  }
  if (!c.pod->preemptible) return false;
  const bool may_go = c.quota == preemptor_quota_ ? Own(c) : Cross(c);
  if (!may_go) return false;
  const QuotaNode& n = forest_.node(c.quota);
  ResourceVector& used = UsedOf(c.quota);
  ForEachDimension(forest_.CountedIn(c.quota, *c.pod), [&](std::size_t r) {
    const std::int64_t before = used[r];
    used[r] = ResourceVector::SubSaturating(before, c.pod->request[r]);
    sums_.Change(r, n.min[r], before, used[r]);
  });
  return true;
}

bool QuotaVictimWalk::Own(const QuotaCandidate& c) const {
  const QuotaNode& own = forest_.node(preemptor_quota_);
  if (c.pod->priority >= preemptor_.priority) return false;
  if (own.role == QuotaRole::kDefault) return !forest_.options().protect_default;
  return own.policy.own_victims == QuotaPolicy::OwnVictims::kAlways || over_min_;
}

bool QuotaVictimWalk::Cross(const QuotaCandidate& c) {
  const QuotaNode& own = forest_.node(preemptor_quota_);
  const QuotaNode& other = forest_.node(c.quota);
  if (own.dialect != other.dialect || own.tree != other.tree) return false;
  if (own.role != QuotaRole::kQuota || other.role != QuotaRole::kQuota) return false;
  const ResourceVector& used = UsedOf(c.quota);
  switch (own.policy.cross_victims) {
    case QuotaPolicy::CrossVictims::kNone:
      return own.dialect == QuotaDialect::kKoordinator && forest_.options().reclaim_now &&
             ReclaimNow(c);
    case QuotaPolicy::CrossVictims::kOverMin:
      return !over_min_ && forest_.OverMinIn(c.quota, used, Looked(c.quota, used, c));
    case QuotaPolicy::CrossVictims::kOverQuotaPods:
      if (!c.over_quota) return false;
      if (over_min_) return FairShare(c);
      return forest_.OverMinIn(c.quota, used, Looked(c.quota, used, c));
  }
  return false;
}

// In which resources the candidate's quota being over counts: what it uses, or, of that, what the
// preemptor lacks and is guaranteed, and the candidate gives back. Where the preemptor lacks
// nothing of that, all that it is guaranteed counts.
std::uint32_t QuotaVictimWalk::Looked(QuotaIndex q, const ResourceVector& used,
                                      const QuotaCandidate& c) const {
  const QuotaNode& n = forest_.node(q);
  const std::uint32_t bounded = forest_.BoundedBeside(q);
  if (!forest_.options().needed_resources_only)
    return n.compare.Looked(used, n.min.present()) & bounded;
  const std::uint32_t counted = needed_ & bounded & forest_.node(preemptor_quota_).min.present();
  const std::uint32_t lacked = counted & c.lacked;
  return (lacked != 0 ? lacked : counted) & AskedDimensions(c.pod->request, forest_.dimensions());
}

// used > min + guaranteed over-quota, in what min lists.
bool QuotaVictimWalk::AboveShare(QuotaIndex q, const ResourceVector& used,
                                 std::uint32_t looked) const {
  const QuotaNode& n = forest_.node(q);
  const ResourceVector share =
      n.min.values() + GuaranteedOverQuota(sums_, n.min, forest_.dimensions());
  return FirstAbove(used, share, looked & n.min.present(), forest_.dimensions()) >= 0;
}

// Whether the candidate's quota would have less than its min of something that it gives back.
bool QuotaVictimWalk::BelowMinWithout(const QuotaCandidate& c, const ResourceVector& used) const {
  const QuotaList& min = forest_.node(c.quota).min;
  for (std::size_t r = 0; r < forest_.dimensions(); ++r) {
    if (c.pod->request[r] > 0 && used[r] - c.pod->request[r] < min[r]) return true;
  }
  return false;
}

bool QuotaVictimWalk::FairShare(const QuotaCandidate& c) {
  if (forest_.node(preemptor_quota_).policy.share != QuotaPolicy::Share::kGuaranteedOverQuota)
    return false;
  const ResourceVector with = UsedOf(preemptor_quota_) + inflight_ + preemptor_.request;
  const bool needed = forest_.options().needed_resources_only;
  const std::uint32_t all = ~std::uint32_t{0};
  if (AboveShare(preemptor_quota_, with,
                 needed ? AskedDimensions(preemptor_.request, forest_.dimensions()) : all)) {
    return false;
  }
  const ResourceVector used = UsedOf(c.quota);
  if (!AboveShare(c.quota, used, needed ? Looked(c.quota, used, c) : all)) return false;
  // Who is below its min takes back from who is beyond his: a victim that leads there comes back.
  return forest_.options().strict || !BelowMinWithout(c, used);
}

// Knob reclaimNow: a preemptor within its runtime takes from quotas that are over theirs.
bool QuotaVictimWalk::ReclaimNow(const QuotaCandidate& c) {
  const auto over = [&](QuotaIndex q, const ResourceVector& used, std::uint32_t looked) {
    return FirstAbove(used, forest_.LimitOf(q), looked, forest_.dimensions()) >= 0;
  };
  const std::uint32_t asked = AskedDimensions(preemptor_.request, forest_.dimensions());
  if (over(preemptor_quota_, UsedOf(preemptor_quota_) + inflight_ + preemptor_.request, asked))
    return false;
  const ResourceVector used = UsedOf(c.quota);
  return over(c.quota, used, Looked(c.quota, used, c));
}

}  // namespace batholith
