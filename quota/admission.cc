#include "quota/admission.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

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
    if (own_.role == QuotaRole::kSystem) return {};
    if (QuotaVerdict v = Self(); !v.ok()) return v;
    if (QuotaVerdict v = NonPreemptible(); !v.ok()) return v;
    return own_.dialect == QuotaDialect::kKoordinator ? Ancestors() : Aggregated();
  }

 private:
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

  QuotaVerdict Self() const {
    const bool runtime =
        own_.policy.limit == QuotaPolicy::Limit::kRuntime && own_.role == QuotaRole::kQuota;
    const Why why = runtime ? Why::kRuntime : Why::kMax;
    const QuotaLimit limit = forest_.LimitOf(q_);
    if (own_.inflight.empty()) {
      return Check(why, q_, Used(q_), pod_.request, limit,
                   own_.compare.Looked(pod_.request, own_.max.present()));
    }
    const ResourceVector inflight = OwnInflight();
    return Check(why, q_, Plus(Used(q_), inflight), pod_.request, limit,
                 own_.compare.Looked(pod_.request + inflight, own_.max.present()));
  }

  QuotaVerdict NonPreemptible() const {
    if (pod_.preemptible || own_.dialect != QuotaDialect::kKoordinator) return {};
    const auto used = [&](std::size_t r) { return own_.non_preemptible[r]; };
    ResourceVector inflight = own_.inflight_non_preemptible;
    if (reservation_ != nullptr)
      inflight -= Masked(reservation_->request, forest_.CountedIn(q_, *reservation_));
    return Check(Why::kNonPreemptible, q_, Plus(used, inflight), pod_.request, own_.min,
                 own_.compare.Looked(pod_.request, own_.min.present()));
  }

  // Looks at what the pod asks for only. Ours never lets an ancestor beyond its max; its runtime is
  // checked where the conf says so, and where revoke would take the pod back.
  QuotaVerdict Ancestors() const {
    const QuotaOptions& options = forest_.options();
    if (!options.check_parent && options.strict) return {};
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
        const QuotaVerdict v = Check(runtime ? Why::kRuntime : Why::kMax, at, used, pod_.request,
                                     forest_.LimitOf(at), looked);
        if (!v.ok()) return v;
      }
      const QuotaVerdict v = Check(Why::kMax, at, used, pod_.request, n.max_limits, looked);
      if (!v.ok()) return v;
    }
    return {};
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

  // The virtual parent: Σ used + asked ≤ Σ min.
  QuotaVerdict Aggregated() const {
    const QuotaIndex at = own_.parent;
    if (at.is_none() || !own_.policy.parent_check) return {};
    const QuotaNode& family = forest_.node(at);
    const ResourceVector reserved = Reserved(at);
    // Upstream looks at whatever is used anywhere; ours at what the pod asks for and some min
    // lists.
    const bool upstream = family.compare.upstream;
    const std::uint32_t looked =
        upstream ? family.compare.Looked(forest_.UsedBy(at, soon_) + reserved + pod_.request,
                                         family.max.present())
                 : AskedDimensions(pod_.request, Dims()) & family.max.present();
    return Check(Why::kAggregated, at, Plus(Used(at), reserved), pod_.request, family.max, looked);
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
