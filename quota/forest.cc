#include "quota/forest.h"

#include <algorithm>

namespace batholith {
namespace {

void AddSigned(ResourceVector& sum, const ResourceVector& v, int sign) {
  if (sign > 0) {
    sum += v;
  } else {
    sum -= v;
  }
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

// A resource that max does not list is invisible to a Koordinator quota (reference 3.3).
QuotaPod QuotaForest::MaskedFor(const QuotaNode& node, const QuotaPod& pod) const {
  if (node.dialect != QuotaDialect::kKoordinator || node.role != QuotaRole::kQuota) return pod;
  return {Masked(pod.request, node.max.present()), pod.priority, pod.preemptible};
}

void QuotaForest::Ask(QuotaIndex q, const QuotaPod& pod) {
  const QuotaNode& bound = node(q);
  if (bound.in_tree.is_none()) return;
  trees_[bound.tree].AddRequest(bound.in_tree, MaskedFor(bound, pod).request);
}

void QuotaForest::Charge(QuotaIndex q, const QuotaPod& pod, QuotaHold hold, int sign,
                         bool running) {
  const QuotaPod masked = MaskedFor(node(q), pod);
  if (hold == QuotaHold::kInflight) {
    ResourceVector& sum = nodes_[q.value()].inflight[pod.priority];
    AddSigned(sum, masked.request, sign);
    if (sum == ResourceVector()) nodes_[q.value()].inflight.erase(pod.priority);
    if (!pod.preemptible)
      AddSigned(nodes_[q.value()].inflight_non_preemptible, masked.request, sign);
    const auto known = std::ranges::find(with_inflight_, q);
    if (nodes_[q.value()].inflight.empty()) {
      if (known != with_inflight_.end()) with_inflight_.erase(known);
    } else if (known == with_inflight_.end()) {
      with_inflight_.push_back(q);
    }
    return;
  }
  for (QuotaIndex at = q; !at.is_none(); at = node(at).parent) {
    QuotaNode& n = nodes_[at.value()];
    if (hold == QuotaHold::kReleasing) {
      AddSigned(n.releasing, masked.request, sign);
      continue;
    }
    const ResourceVector before = n.assigned;
    AddSigned(n.assigned, masked.request, sign);
    if (running) AddSigned(n.running, masked.request, sign);
    if (!pod.preemptible) AddSigned(n.non_preemptible, masked.request, sign);
    if (n.role == QuotaRole::kQuota && n.dialect != QuotaDialect::kKoordinator) {
      sums_[static_cast<std::size_t>(n.dialect)].Change(n.min, before, n.assigned, dims_);
    }
  }
  const QuotaNode& bound = node(q);
  if (!bound.in_tree.is_none() && options_.guarantee_used) {
    ResourceVector delta;
    AddSigned(delta, masked.request, sign);
    trees_[bound.tree].AddUsed(bound.in_tree, delta);
  }
}

// What the default tree shares: the nodes, less what runs outside of it (reference 3.5, 5.2).
void QuotaForest::RefreshTotal() const {
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

ResourceLimits QuotaForest::LimitOf(QuotaIndex q) const {
  const QuotaNode& n = node(q);
  if (n.role == QuotaRole::kDefault && options_.strict && options_.use_runtime)
    return ResourceLimits();  // upstream computes no runtime for it, so nothing limits it
  if (n.policy.limit == QuotaPolicy::Limit::kMax) return n.max_limits;
  const RuntimeTree* tree = TreeOf(q);
  if (tree == nullptr) return n.max_limits;
  ResourceLimits out;
  const ResourceVector& runtime = tree->runtime(n.in_tree);
  for (std::size_t r = 0; r < dims_; ++r) {
    if (n.max.Has(r)) out[r] = runtime[r];
  }
  return out;
}

ResourceVector QuotaForest::UsedBy(QuotaIndex q, bool soon) const {
  const QuotaNode& n = node(q);
  if (soon || n.policy.terminating == QuotaPolicy::Terminating::kIgnore) return n.assigned;
  return n.assigned + n.releasing;
}

ResourceVector QuotaForest::Inflight(QuotaIndex q, std::int32_t priority) const {
  ResourceVector out;
  const auto& inflight = node(q).inflight;
  for (auto it = inflight.lower_bound(priority); it != inflight.end(); ++it) out += it->second;
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
