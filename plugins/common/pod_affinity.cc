#include "plugins/common/pod_affinity.h"

#include <algorithm>

namespace batholith {
namespace {

// For each carrier of a matcher that selects the class.
template <typename Visit>
void ForCarriers(const PodIndex& index, ClassIndex c, Visit visit) {
  for (const std::uint32_t m : index.terms(c).matched_by) {
    for (const PodIndex::Carrier& carrier : index.carriers(m)) visit(carrier);
  }
}

}  // namespace

AffinityFilter::Domains AffinityFilter::Count(std::uint32_t key, const StandingCounts& pods) const {
  Domains out{key, std::vector<std::int64_t>(index_->domains(key), 0)};
  const auto add = [&](const PodCounts& counts, std::int64_t sign) {
    for (const auto& [node, amount] : counts) {
      const std::uint32_t domain = index_->domain(key, NodeIndex(node));
      if (domain != PodIndex::kNoDomain) out.pods[domain] += sign * amount;
    }
  };
  add(pods.all, 1);
  if (!with_leaving_) add(pods.leaving, -1);
  return out;
}

AffinityFilter::AffinityFilter(const PodIndex& index, ClassIndex c, bool with_leaving)
    : index_(&index), with_leaving_(with_leaving) {
  const PodIndex::ClassTerms& terms = index.terms(c);
  bool anybody = false;
  for (const PodIndex::Term& term : terms.affinity) {
    affinity_.push_back(Count(term.key, index.matched(terms.all_affinity)));
    anybody = anybody || std::ranges::any_of(affinity_.back().pods,
                                             [](std::int64_t pods) { return pods > 0; });
  }
  first_of_its_kind_ = !anybody && terms.affine_to_self;
  for (const PodIndex::Term& term : terms.anti) {
    anti_.push_back(Count(term.key, index.matched(term.matcher)));
  }
  ForCarriers(index, c, [&](const PodIndex::Carrier& carrier) {
    if (carrier.required_anti && !carrier.pods.all.empty())
      existing_.push_back(Count(carrier.key, carrier.pods));
  });
}

bool AffinityFilter::Concerns(const PodIndex& index, ClassIndex c) {
  const PodIndex::ClassTerms& terms = index.terms(c);
  if (!terms.affinity.empty() || !terms.anti.empty()) return true;
  bool concerned = false;
  ForCarriers(index, c, [&](const PodIndex::Carrier& carrier) {
    concerned = concerned || carrier.required_anti;
  });
  return concerned;
}

bool AffinityFilter::Blocked(std::span<const Domains> terms, NodeIndex node) const {
  return std::ranges::any_of(terms, [&](const Domains& term) {
    const std::uint32_t domain = index_->domain(term.key, node);
    return domain != PodIndex::kNoDomain && term.pods[domain] > 0;
  });
}

Unfit AffinityFilter::Check(NodeIndex node) const {
  for (const Domains& term : affinity_) {
    const std::uint32_t domain = index_->domain(term.key, node);
    // The first pod of a group that selects itself may go wherever there is such a label.
    if (domain == PodIndex::kNoDomain || (term.pods[domain] <= 0 && !first_of_its_kind_)) {
      return {Reason::kPodAffinity, false, 0};
    }
  }
  if (Blocked(anti_, node)) return {Reason::kPodAntiAffinity, true, 0};
  if (Blocked(existing_, node)) return {Reason::kExistingAntiAffinity, true, 0};
  return {};
}

void AffinityFilter::Pass(std::span<const NodeIndex> nodes, std::span<std::uint8_t> passes) const {
  for (const Domains& term : affinity_) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::uint32_t domain = index_->domain(term.key, nodes[i]);
      if (domain == PodIndex::kNoDomain || (term.pods[domain] <= 0 && !first_of_its_kind_))
        passes[i] = 0;
    }
  }
  for (const std::vector<Domains>* terms : {&anti_, &existing_}) {
    for (const Domains& term : *terms) {
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        const std::uint32_t domain = index_->domain(term.key, nodes[i]);
        if (domain != PodIndex::kNoDomain && term.pods[domain] > 0) passes[i] = 0;
      }
    }
  }
}

bool HasAffinityScore(const PodIndex& index, ClassIndex c) {
  if (!index.terms(c).preferred.empty()) return true;
  bool any = false;
  ForCarriers(index, c,
              [&](const PodIndex::Carrier& carrier) { any = any || !carrier.required_anti; });
  return any;
}

void AddAffinityScores(const PodIndex& index, ClassIndex c, std::span<const NodeIndex> nodes,
                       double weight, std::span<double> scores) {
  std::map<std::uint32_t, std::vector<std::int64_t>> by_key;
  const auto add = [&](std::uint32_t key, const PodCounts& counts, std::int64_t factor) {
    if (counts.empty()) return;
    std::vector<std::int64_t>& sums = by_key[key];
    sums.resize(index.domains(key), 0);
    for (const auto& [node, amount] : counts) {
      const std::uint32_t domain = index.domain(key, NodeIndex(node));
      if (domain != PodIndex::kNoDomain) sums[domain] += amount * factor;
    }
  };
  for (const PodIndex::Term& term : index.terms(c).preferred) {
    add(term.key, index.matched(term.matcher).all, term.weight);
  }
  ForCarriers(index, c, [&](const PodIndex::Carrier& carrier) {
    if (!carrier.required_anti) add(carrier.key, carrier.pods.all, 1);
  });
  if (by_key.empty() || nodes.empty()) return;

  std::vector<std::int64_t> raw(nodes.size(), 0);
  for (const auto& [key, sums] : by_key) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::uint32_t domain = index.domain(key, nodes[i]);
      if (domain != PodIndex::kNoDomain) raw[i] += sums[domain];
    }
  }
  const auto [low, high] = std::ranges::minmax(raw);
  if (low == high) return;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const double share = static_cast<double>(raw[i] - low) / static_cast<double>(high - low);
    scores[i] += weight * static_cast<double>(static_cast<std::int64_t>(100 * share));
  }
}

}  // namespace batholith
