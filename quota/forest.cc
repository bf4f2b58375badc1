#include "quota/forest.h"

#include <algorithm>

namespace batholith {
namespace {

void AddSigned(std::int64_t& sum, std::int64_t amount, int sign) {
  sum = sign > 0 ? ResourceVector::AddSaturating(sum, amount)
                 : ResourceVector::SubSaturating(sum, amount);
}

}  // namespace

QuotaIndex QuotaForest::QuotaOf(const PodRecord& pod) const {
  if (!pod.quota_name.empty()) {
    const auto it = by_name_.find(pod.quota_name);
    if (it != by_name_.end()) return it->second;
  }
  // Without the default quota only the label binds to a Koordinator quota; flat quotas still stand
  // for their namespaces.
  const auto claimed = claims_.find(pod.meta.namespace_);
  if (claimed != claims_.end()) {
    for (const QuotaIndex q : claimed->second) {
      if (options_.default_quota || node(q).dialect != QuotaDialect::kKoordinator) return q;
    }
  }
  if (!options_.default_quota) return {};
  if (!system_.is_none() && std::ranges::find(options_.system_namespaces, pod.meta.namespace_) !=
                                options_.system_namespaces.end()) {
    return system_;
  }
  return default_;
}

// A resource that max does not list is invisible to a Koordinator quota.
std::uint32_t QuotaForest::CountedIn(QuotaIndex q, const QuotaPod& pod) const {
  const QuotaNode& n = node(q);
  std::uint32_t asked = 0;
  for (std::size_t r = 0; r < dims_; ++r) asked |= pod.request[r] != 0 ? 1U << r : 0;
  const bool all = n.dialect != QuotaDialect::kKoordinator || n.role != QuotaRole::kQuota;
  return all ? asked : asked & n.max.present();
}

bool QuotaForest::TakesFromItself(QuotaIndex q) const {
  const QuotaNode& n = node(q);
  return n.dialect == QuotaDialect::kKoordinator && !options_.reclaim_now &&
         n.policy.cross_victims == QuotaPolicy::CrossVictims::kNone;
}

void QuotaForest::Ask(QuotaIndex q, const QuotaPod& pod) {
  const QuotaNode& bound = node(q);
  if (bound.in_tree.is_none()) return;
  trees_[bound.tree].AddRequest(bound.in_tree, Masked(pod.request, CountedIn(q, pod)));
}

void QuotaForest::Reserve(QuotaIndex q, const QuotaPod& pod, int sign) {
  QuotaNode& n = nodes_[q.value()];
  ResourceVector& sum = n.inflight[pod.priority];
  ForEachDimension(CountedIn(q, pod), [&](std::size_t r) {
    AddSigned(sum[r], pod.request[r], sign);
    if (!pod.preemptible) AddSigned(n.inflight_non_preemptible[r], pod.request[r], sign);
  });
  if (sum == ResourceVector()) n.inflight.erase(pod.priority);
  const auto known = std::ranges::find(with_inflight_, q);
  if (n.inflight.empty()) {
    if (known != with_inflight_.end()) with_inflight_.erase(known);
  } else if (known == with_inflight_.end()) {
    with_inflight_.push_back(q);
  }
}

void QuotaForest::Charge(QuotaIndex q, const QuotaPod& pod, QuotaHold hold, int sign,
                         bool running) {
  if (hold == QuotaHold::kInflight) return Reserve(q, pod, sign);
  const bool assigned = hold == QuotaHold::kAssigned;
  const std::uint32_t counted = CountedIn(q, pod);
  for (QuotaIndex at = q; !at.is_none(); at = node(at).parent) {
    QuotaNode& n = nodes_[at.value()];
    const bool flat = n.role == QuotaRole::kQuota && n.dialect != QuotaDialect::kKoordinator;
    if (assigned && n.role != QuotaRole::kQuota) {  // the default tree shares what these leave
      total_is_stale_ = true;
    }
    ForEachDimension(counted, [&](std::size_t r) {
      const std::int64_t amount = pod.request[r];
      if (!assigned) return AddSigned(n.releasing[r], amount, sign);
      const std::int64_t before = n.assigned[r];
      AddSigned(n.assigned[r], amount, sign);
      if (running) AddSigned(n.running[r], amount, sign);
      if (!pod.preemptible) AddSigned(n.non_preemptible[r], amount, sign);
      if (flat)
        sums_[static_cast<std::size_t>(n.dialect)].Change(r, n.min[r], before, n.assigned[r]);
    });
  }
  const QuotaNode& bound = node(q);
  if (!bound.in_tree.is_none() && options_.guarantee_used) {
    ResourceVector delta;
    ForEachDimension(counted, [&](std::size_t r) { AddSigned(delta[r], pod.request[r], sign); });
    trees_[bound.tree].AddUsed(bound.in_tree, delta);
  }
}

// What the default tree shares: the nodes, less what runs outside of it.
void QuotaForest::RefreshTotal() const {
  if (!total_is_stale_) return;
  total_is_stale_ = false;
  ResourceVector total = default_tree_total_;
  for (const QuotaIndex q : {system_, default_}) {
    if (!q.is_none()) total -= node(q).assigned;
  }
  for (const QuotaIndex q : family_) {
    if (q.is_none()) continue;
    switch (options_.flat_families) {
      case QuotaOptions::FlatFamilies::kSubtractUsed:
        total -= node(q).assigned;
        break;
      case QuotaOptions::FlatFamilies::kSubtractMin:
        total -= ResourceVector::Max(node(q).assigned, node(q).max.values());
        break;
      case QuotaOptions::FlatFamilies::kIgnore:
        break;
    }
  }
  trees_[0].SetTotal(total);
}

const RuntimeTree* QuotaForest::TreeOf(QuotaIndex q) const {
  const QuotaNode& n = node(q);
  if (n.in_tree.is_none()) return nullptr;
  if (n.tree == 0) RefreshTotal();
  return &trees_[n.tree];
}

QuotaLimit QuotaForest::LimitOf(QuotaIndex q) const {
  const QuotaNode& n = node(q);
  if (n.role == QuotaRole::kDefault && options_.strict && options_.use_runtime)
    return QuotaLimit();  // upstream computes no runtime for it, so nothing limits it
  const RuntimeTree* tree = n.policy.limit == QuotaPolicy::Limit::kMax ? nullptr : TreeOf(q);
  return QuotaLimit(n, tree == nullptr ? nullptr : &tree->runtime(n.in_tree));
}

ResourceVector QuotaForest::UsedBy(QuotaIndex q, bool soon) const {
  ResourceVector out;
  for (std::size_t r = 0; r < dims_; ++r) out[r] = UsedBy(q, soon, r);
  return out;
}

std::int64_t QuotaForest::UsedBy(QuotaIndex q, bool soon, std::size_t r) const {
  const QuotaNode& n = node(q);
  if (soon || n.policy.terminating == QuotaPolicy::Terminating::kIgnore) return n.assigned[r];
  return ResourceVector::AddSaturating(n.assigned[r], n.releasing[r]);
}

ResourceVector QuotaForest::Inflight(QuotaIndex q, std::int32_t priority,
                                     const QuotaPod* except) const {
  ResourceVector out;
  const auto& inflight = node(q).inflight;
  for (auto it = inflight.lower_bound(priority); it != inflight.end(); ++it) out += it->second;
  if (except != nullptr) out -= Masked(except->request, CountedIn(q, *except));
  return out;
}

bool QuotaForest::OverMin(QuotaIndex q, const ResourceVector& used,
                          const ResourceVector& more) const {
  const QuotaNode& n = node(q);
  std::uint32_t looked = n.compare.Looked(more, n.min.present());
  if (!n.compare.upstream) {
    // Where min lists nothing of what is asked for, it guarantees nothing of it.
    const std::uint32_t asked = AskedDimensions(more, dims_);
    if (asked != 0 && (asked & n.min.present()) == 0) return true;
    looked = asked & n.min.present();
  }
  return OverMinIn(q, used + more, looked);
}

std::uint32_t QuotaForest::BoundedBeside(QuotaIndex q) const {
  const QuotaNode& n = node(q);
  if (n.compare.upstream) return ~std::uint32_t{0};
  if (n.dialect == QuotaDialect::kKoordinator || n.parent.is_none()) return n.max.present();
  return node(n.parent).max.present();
}

bool QuotaForest::OverMinIn(QuotaIndex q, const ResourceVector& used, std::uint32_t looked) const {
  return FirstAbove(used, node(q).min, looked, dims_) >= 0;
}

}  // namespace batholith
