#include "quota/admission.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "api/excess.h"
#include "api/quantity.h"
#include "api/shortage_text.h"

namespace batholith {
namespace {

using Why = QuotaVerdict::Why;

// `used`: amounts by dimension, as a function.
template <typename Used, typename Bound>
QuotaVerdict Check(Why why, QuotaIndex at, Used used, const ResourceVector& asked,
                   const Bound& bound, std::uint32_t looked) {
  for (; looked != 0; looked &= looked - 1) {
    const auto r = static_cast<std::size_t>(std::countr_zero(looked));
    const std::int64_t has = used(r);
    if (ResourceVector::AddSaturating(has, asked[r]) > bound[r])
      return {why, at, r, has, asked[r], bound[r]};
  }
  return {};
}

class Admission {
 public:
  // `reservation`: the pod whose reservation in q's sums is its own; nullptr: it has none.
  Admission(const QuotaForest& forest, QuotaIndex q, const QuotaPod& pod, bool soon,
            const QuotaPod* reservation)
      : forest_(forest),
        q_(q),
        own_(forest.node(q)),
        pod_(pod),
        soon_(soon),
        reservation_(reservation) {}

  QuotaVerdict Run() const {
    if (!own_.broken.empty()) return {Why::kBroken, q_, 0, 0, 0, 0};
    if (TakesNoPods()) return {Why::kParent, q_, 0, 0, 0, 0};
    QuotaVerdict verdict;
    EachBound(
        [&](Why why, QuotaIndex at, const auto& used, const auto& bound, std::uint32_t looked) {
          verdict = Check(why, at, used, pod_.request, bound, looked);
          return verdict.ok();
        });
    return verdict;
  }

  // All that Run would find if it went on; false: not all of it is a matter of sums.
  bool AddLacks(std::vector<QuotaLack>& out) const {
    if (!own_.broken.empty() || TakesNoPods()) {
      out.push_back({q_, 0, QuotaLack::kForGood});
      return true;
    }
    if (own_.compare.upstream || forest_.options().guarantee_used || !ReservedStays()) return false;
    EachBound(
        [&](Why why, QuotaIndex at, const auto& used, const auto& bound, std::uint32_t looked) {
          ForEachDimension(looked, [&](std::size_t r) {
            const std::int64_t limit = bound[r];
            if (limit == ResourceLimits::kUnlimited) return;
            const std::int64_t excess = ExcessOver(used(r), pod_.request[r], limit);
            // Who counts here is nobody's victim.
            const bool for_good = why == Why::kNonPreemptible;
            if (excess > 0) out.push_back({at, r, for_good ? QuotaLack::kForGood : excess});
          });
          return true;
        });
    return true;
  }

 private:
  // Visits what is compared, in this order, until `visit` answers false: amounts that are used, as
  // a function of the dimension, the bound, and the dimensions that are looked at.
  template <typename Visit>
  void EachBound(Visit visit) const {
    if (own_.role == QuotaRole::kSystem) return;
    if (!Self(visit) || !NonPreemptible(visit)) return;
    own_.dialect == QuotaDialect::kKoordinator ? Ancestors(visit) : Aggregated(visit);
  }

  // As Koordinator's webhook has it, which keeps such pods out; who has no webhook is told here.
  bool TakesNoPods() const {
    const QuotaOptions& options = forest_.options();
    return own_.role == QuotaRole::kQuota && own_.dialect == QuotaDialect::kKoordinator &&
           own_.record->is_parent && !options.parents_take_pods && !options.strict;
  }

  std::size_t Dims() const { return forest_.dimensions(); }

  // What is reserved for others of the quota.
  ResourceVector OwnInflight() const { return forest_.Inflight(q_, pod_.priority, reservation_); }

  auto Used(QuotaIndex at) const {
    return [this, at](std::size_t r) { return forest_.UsedBy(at, soon_, r); };
  }
  // `more` must outlive the answer.
  template <typename Amounts>
  static auto Plus(Amounts amounts, const ResourceVector& more) {
    return [amounts, &more](std::size_t r) {
      return ResourceVector::AddSaturating(amounts(r), more[r]);
    };
  }

  template <typename Visit>
  bool Self(Visit& visit) const {
    const bool runtime =
        own_.policy.limit == QuotaPolicy::Limit::kRuntime && own_.role == QuotaRole::kQuota;
    const Why why = runtime ? Why::kRuntime : Why::kMax;
    const QuotaLimit limit = forest_.LimitOf(q_);
    if (own_.inflight.empty()) {
      return visit(why, q_, Used(q_), limit, own_.compare.Looked(pod_.request, own_.max.present()));
    }
    const ResourceVector inflight = OwnInflight();
    return visit(why, q_, Plus(Used(q_), inflight), limit,
                 own_.compare.Looked(pod_.request + inflight, own_.max.present()));
  }

  template <typename Visit>
  bool NonPreemptible(Visit& visit) const {
    if (pod_.preemptible || own_.dialect != QuotaDialect::kKoordinator) return true;
    const auto used = [&](std::size_t r) { return own_.non_preemptible[r]; };
    ResourceVector inflight = own_.inflight_non_preemptible;
    if (reservation_ != nullptr)
      inflight -= Masked(reservation_->request, forest_.CountedIn(q_, *reservation_));
    return visit(Why::kNonPreemptible, q_, Plus(used, inflight), own_.min,
                 own_.compare.Looked(pod_.request, own_.min.present()));
  }

  // Looks at what the pod asks for only. Ours never lets an ancestor beyond its max; its runtime is
  // checked where the conf says so, and where revoke would take the pod back.
  template <typename Visit>
  void Ancestors(Visit& visit) const {
    const QuotaOptions& options = forest_.options();
    if (!options.check_parent && options.strict) return;
    const bool check = options.check_parent || options.monitor_all;
    const std::uint32_t asked = AskedDimensions(pod_.request, Dims());
    for (QuotaIndex at = own_.parent; !at.is_none(); at = forest_.node(at).parent) {
      const QuotaNode& n = forest_.node(at);
      if (!n.policy.parent_check) continue;
      const std::uint32_t looked = asked & n.max.present();
      const ResourceVector reserved = Reserved(at);
      const auto used = Plus(Used(at), reserved);
      if (check) {
        const bool runtime = n.policy.limit == QuotaPolicy::Limit::kRuntime;
        if (!visit(runtime ? Why::kRuntime : Why::kMax, at, used, forest_.LimitOf(at), looked))
          return;
      }
      if (!visit(Why::kMax, at, used, n.max_limits, looked)) return;
    }
  }

  // Reservations of pods below `at` that count for this pod: those of its own quota, and those of
  // quotas where they are within their min. A pod that is beyond the min of its own quota gives way
  // to all of them, but where the dialect's own scheduler compares.
  ResourceVector Reserved(QuotaIndex at) const {
    ResourceVector sum;
    if (forest_.with_inflight().empty()) return sum;
    const ResourceVector own = forest_.UsedBy(q_, soon_) + OwnInflight();
    const bool gives_way = !own_.compare.upstream && forest_.OverMin(q_, own, pod_.request);
    for (const QuotaIndex other : forest_.with_inflight()) {
      if (!Below(other, at)) continue;
      if (other == q_) {
        sum += OwnInflight();
      } else {
        const ResourceVector inflight = forest_.Inflight(other, INT32_MIN);
        sum += gives_way ? inflight : Masked(inflight, WithinMin(other));
      }
    }
    return sum;
  }

  bool Below(QuotaIndex q, QuotaIndex ancestor) const {
    while (!q.is_none() && q != ancestor) q = forest_.node(q).parent;
    return q == ancestor;
  }

  // The resources in which the quota is not over its min; where its dialect's own scheduler
  // compares, all or none.
  std::uint32_t WithinMin(QuotaIndex q) const {
    const QuotaNode& n = forest_.node(q);
    const ResourceVector used = forest_.UsedBy(q, soon_);
    std::uint32_t looked = n.compare.Looked(used, n.min.present()) & forest_.BoundedBeside(q);
    std::uint32_t out = ~std::uint32_t{0};
    for (;;) {
      const int above = FirstAbove(used, n.min, looked, Dims());
      if (above < 0) return out;
      if (n.compare.upstream) return 0;
      out &= ~(1U << above);
      looked &= ~(1U << above);
    }
  }

  // Whether Reserved stays as it is when victims of the pod leave: they bring other quotas within
  // their min, whose reservations then count, or the pod's own, which then gives way no more.
  bool ReservedStays() const {
    if (own_.parent.is_none()) return true;
    QuotaIndex top = own_.parent;
    while (!forest_.node(top).parent.is_none()) top = forest_.node(top).parent;
    const auto counts_whole = [&](QuotaIndex other) {
      const ResourceVector inflight = forest_.Inflight(other, INT32_MIN);
      const std::uint32_t within = WithinMin(other);
      return (AskedDimensions(inflight, Dims()) & AskedDimensions(pod_.request, Dims()) &
              ~within) == 0;
    };
    const bool whole = std::ranges::all_of(forest_.with_inflight(), [&](QuotaIndex other) {
      return other == q_ || !Below(other, top) || counts_whole(other);
    });
    // However much leaves it, or because only its own pods leave and it does not give way now.
    return whole || forest_.OverMin(q_, OwnInflight(), pod_.request) ||
           (forest_.TakesFromItself(q_) &&
            !forest_.OverMin(q_, forest_.UsedBy(q_, soon_) + OwnInflight(), pod_.request));
  }

  // The virtual parent: Σ used + asked ≤ Σ min.
  template <typename Visit>
  void Aggregated(Visit& visit) const {
    const QuotaIndex at = own_.parent;
    if (at.is_none() || !own_.policy.parent_check) return;
    const QuotaNode& family = forest_.node(at);
    const ResourceVector reserved = Reserved(at);
    // Upstream looks at whatever is used anywhere; ours at what the pod asks for and some min
    // lists.
    const bool upstream = family.compare.upstream;
    const std::uint32_t looked =
        upstream ? family.compare.Looked(forest_.UsedBy(at, soon_) + reserved + pod_.request,
                                         family.max.present())
                 : AskedDimensions(pod_.request, Dims()) & family.max.present();
    visit(Why::kAggregated, at, Plus(Used(at), reserved), family.max, looked);
  }

  const QuotaForest& forest_;
  QuotaIndex q_;
  const QuotaNode& own_;
  const QuotaPod& pod_;
  bool soon_;
  const QuotaPod* reservation_;
};

const QuotaPod* Reservation(const QuotaPod& pod, OwnReservation own) {
  return own == OwnReservation::kNone ? nullptr : &pod;
}

// Quotas beside q that use more than their min of the resource, biggest first: "a/x 2, b/y 1".
std::string Borrowers(const QuotaForest& forest, QuotaIndex q, std::size_t r) {
  std::vector<std::pair<std::int64_t, std::string>> found;
  const QuotaNode& own = forest.node(q);
  for (std::size_t i = 0; i < forest.size(); ++i) {
    const QuotaNode& n = forest.node(QuotaIndex(i));
    if (QuotaIndex(i) == q || n.role != QuotaRole::kQuota || n.dialect != own.dialect) continue;
    if (n.parent != own.parent || n.tree != own.tree ||
        n.in_tree.is_none() != own.in_tree.is_none())
      continue;
    const std::int64_t over = ResourceVector::SubSaturating(n.assigned[r], n.min[r]);
    if (over > 0) found.emplace_back(over, n.name);
  }
  std::ranges::sort(found, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::string out;
  constexpr std::size_t kShown = 3;
  const std::string& resource = forest.schema().name(r);
  for (std::size_t i = 0; i < std::min(found.size(), kShown); ++i) {
    out += (i == 0 ? "" : ", ") + found[i].second + " " +
           FormatQuantity(ToBaseUnits(r, found[i].first), resource);
  }
  if (found.size() > kShown) out += fmt::format(" and {} more", found.size() - kShown);
  return out;
}

}  // namespace

bool IsBeyondMax(const QuotaForest& forest, QuotaIndex q, const ResourceVector& asked) {
  const std::uint32_t looked = AskedDimensions(asked, forest.dimensions());
  for (QuotaIndex at = q; !at.is_none(); at = forest.node(at).parent) {
    if (FirstAbove(asked, forest.node(at).max_limits, looked, forest.dimensions()) >= 0)
      return true;
  }
  return false;
}

QuotaVerdict AdmitToQuota(const QuotaForest& forest, QuotaIndex q, const QuotaPod& pod, bool soon,
                          OwnReservation own) {
  return Admission(forest, q, pod, soon, Reservation(pod, own)).Run();
}

bool AddQuotaLacks(const QuotaForest& forest, QuotaIndex q, const QuotaPod& pod, OwnReservation own,
                   std::vector<QuotaLack>& out) {
  return Admission(forest, q, pod, true, Reservation(pod, own)).AddLacks(out);
}

ResourceVector HeldBy(const QuotaForest& forest, QuotaIndex q, const QuotaPod& pod,
                      OwnReservation own) {
  return forest.UsedBy(q, true) + forest.Inflight(q, INT32_MIN, Reservation(pod, own));
}

bool KeepsFair(const QuotaForest& forest, QuotaIndex q, const QuotaPod& pod, OwnReservation own,
               const ResourceVector& before) {
  const QuotaNode& n = forest.node(q);
  if (n.dialect == QuotaDialect::kKoordinator || n.compare.upstream) return true;
  const ResourceVector now = HeldBy(forest, q, pod, own);
  ResourceVector fair = n.min.values();
  const bool lost = FirstAbove(before, now, ~std::uint32_t{0}, forest.dimensions()) >= 0;
  if (!lost && n.policy.share == QuotaPolicy::Share::kGuaranteedOverQuota)
    fair += GuaranteedOverQuota(forest.SumsOf(n.dialect), n.min, forest.dimensions());
  const std::uint32_t asked = AskedDimensions(pod.request, forest.dimensions());
  return FirstAbove(now + pod.request, ResourceVector::Max(fair, before),
                    asked & forest.BoundedBeside(q), forest.dimensions()) < 0;
}

bool AddFairLacks(const QuotaForest& forest, QuotaIndex q, const QuotaPod& pod, OwnReservation own,
                  const ResourceVector& before, std::vector<QuotaLack>& out) {
  const QuotaNode& n = forest.node(q);
  if (n.dialect == QuotaDialect::kKoordinator || n.compare.upstream) return true;
  if (n.policy.share == QuotaPolicy::Share::kGuaranteedOverQuota) return false;
  const ResourceVector now = HeldBy(forest, q, pod, own);
  const std::uint32_t asked = AskedDimensions(pod.request, forest.dimensions());
  ForEachDimension(asked & forest.BoundedBeside(q), [&](std::size_t r) {
    const std::int64_t limit = std::max(n.min[r], before[r]);
    const std::int64_t excess = ExcessOver(now[r], pod.request[r], limit);
    if (excess > 0) out.push_back({q, r, excess});
  });
  return true;
}

std::uint32_t ShortOf(const QuotaForest& forest, QuotaIndex q, const QuotaPod& pod,
                      OwnReservation own) {
  std::uint32_t out = 0;
  QuotaPod rest = pod;
  for (;;) {
    const QuotaVerdict verdict = Admission(forest, q, rest, true, Reservation(pod, own)).Run();
    const std::uint32_t bit = 1U << verdict.dimension;
    if (verdict.ok() || (out & bit) != 0) return out;
    out |= bit;
    rest.request[verdict.dimension] = 0;
  }
}

std::string VerdictText(const QuotaForest& forest, QuotaIndex q, const QuotaVerdict& v) {
  const QuotaNode& at = forest.node(v.at);
  if (v.why == Why::kBroken) return "quota " + at.name + " cannot be used: " + at.broken;
  if (v.why == Why::kParent) {
    return "quota " + at.name +
           " is a parent quota: pods belong to a quota below it (argument "
           "SupportParentQuotaSubmitPod of plugin elasticquota lifts this)";
  }
  const std::string& resource = forest.schema().name(v.dimension);
  const ShortageText shortage(resource, v.used, v.asked, v.limit, "used");
  const std::string& sum = shortage.text();
  const std::string above = v.at == q ? "" : ", above " + forest.node(q).name + ",";
  std::string out;
  switch (v.why) {
    case Why::kMax:
      out = fmt::format("quota {}{} is at its max of {}: {}", at.name, above, resource, sum);
      break;
    case Why::kRuntime:
      out = fmt::format("quota {}{} is at its runtime share of {}: {}", at.name, above, resource,
                        sum);
      break;
    case Why::kAggregated:
      out = fmt::format("quota {} waits for {}: the minimums of all quotas add up to {}, and {}",
                        forest.node(q).name, resource, shortage.Amount(v.limit), sum);
      break;
    case Why::kNonPreemptible:
      return fmt::format(
          "quota {} guarantees no more {} to pods that may not be preempted: {} (min)", at.name,
          resource, sum);
    case Why::kBefore:
      return fmt::format("quota {} keeps what is left of {} for a job before: {}", at.name,
                         resource, sum);
    default:
      return out;
  }
  if (v.why == Why::kMax) return out;
  const std::string borrowers = Borrowers(forest, v.at == q ? v.at : q, v.dimension);
  return borrowers.empty() ? out : out + "; over their min are " + borrowers;
}

}  // namespace batholith
