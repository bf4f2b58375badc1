#include "plugins/common/topology_spread.h"

#include <algorithm>
#include <cmath>

#include "api/node_match.h"
#include "api/sort_unique.h"

namespace batholith {
namespace {

constexpr std::string_view kHostKey = "kubernetes.io/hostname";

// kube-scheduler counts nobody for a selector without requirements.
bool CountsAnybody(const TopologySpread& spread) {
  return spread.selector && !spread.selector->requirements.empty();
}

// Pods by domain on the nodes that count.
std::vector<std::int64_t> CountDomains(const PodIndex& index, const SpreadScope::Part& part) {
  std::vector<std::int64_t> pods(index.domains(part.spread.key), 0);
  if (!CountsAnybody(*part.spread.constraint)) return pods;
  for (const auto& [node, count] : index.matched(part.spread.matcher).all) {
    if (part.counts[node]) pods[index.domain(part.spread.key, NodeIndex(node))] += count;
  }
  return pods;
}

}  // namespace

bool HasSpread(const PodIndex& index, ClassIndex c, bool hard) {
  return std::ranges::any_of(index.terms(c).spread, [&](const PodIndex::Spread& spread) {
    return spread.constraint->hard == hard;
  });
}

SpreadScope::SpreadScope(const Snapshot& snapshot, const PodIndex& index, ClassIndex c, bool hard)
    : labelled(snapshot.nodes.size(), true) {
  const PodIndex::ClassTerms& terms = index.terms(c);
  for (const PodIndex::Spread& spread : terms.spread) {
    if (spread.constraint->hard != hard) continue;
    parts.push_back({spread,
                     std::vector<bool>(snapshot.nodes.size(), false),
                     {},
                     index.key_name(spread.key) == kHostKey});
  }
  const PodConstraints& constraints = *terms.pod->constraints;
  for (std::size_t n = 0; n < snapshot.nodes.size(); ++n) {
    const NodeRecord& node = *snapshot.nodes[n].record;
    labelled[n] = std::ranges::all_of(parts, [&](const Part& part) {
      return index.domain(part.spread.key, NodeIndex(n)) != PodIndex::kNoDomain;
    });
    if (!labelled[n]) continue;
    const bool chosen = MatchesNode(constraints, node);
    const bool tolerated = UntoleratedTaint(constraints.tolerations, node) == nullptr;
    for (Part& part : parts) {
      const TopologySpread& spread = *part.spread.constraint;
      part.counts[n] =
          (chosen || !spread.honor_node_affinity) && (tolerated || !spread.honor_node_taints);
      if (part.counts[n]) part.domains.push_back(index.domain(part.spread.key, NodeIndex(n)));
    }
  }
  for (Part& part : parts) SortUnique(part.domains);
}

SpreadFilter::SpreadFilter(const PodIndex& index, const SpreadScope& scope) : index_(&index) {
  for (const SpreadScope::Part& part : scope.parts) {
    const TopologySpread& spread = *part.spread.constraint;
    Part out{part.spread.key, INT64_MAX, CountDomains(index, part)};
    // Without any domain there is nothing to be level with.
    if (!part.domains.empty()) {
      std::int64_t least = INT64_MAX;
      for (const std::uint32_t domain : part.domains) least = std::min(least, out.pods[domain]);
      if (std::ssize(part.domains) < spread.min_domains) least = 0;
      out.allowed = least + spread.max_skew - (part.spread.self ? 1 : 0);
    } else if (spread.min_domains > 0) {
      out.allowed = spread.max_skew - (part.spread.self ? 1 : 0);
    }
    parts_.push_back(std::move(out));
  }
}

Unfit SpreadFilter::Check(NodeIndex node) const {
  for (const Part& part : parts_) {
    const std::uint32_t domain = index_->domain(part.key, node);
    if (domain == PodIndex::kNoDomain) return {Reason::kTopologySpreadNoLabel, false, 0};
    if (part.pods[domain] > part.allowed) return {Reason::kTopologySpread, true, 0};
  }
  return {};
}

void SpreadFilter::Pass(std::span<const NodeIndex> nodes, std::span<std::uint8_t> passes) const {
  for (const Part& part : parts_) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::uint32_t domain = index_->domain(part.key, nodes[i]);
      if (domain == PodIndex::kNoDomain || part.pods[domain] > part.allowed) passes[i] = 0;
    }
  }
}

void AppendHardSpread(const PodIndex& index, const SpreadScope& scope,
                      std::vector<HardSpread>& out) {
  static_assert(HardSpread::kNoDomain == PodIndex::kNoDomain);
  for (const SpreadScope::Part& part : scope.parts) {
    const TopologySpread& spread = *part.spread.constraint;
    HardSpread& hard = out.emplace_back();
    hard.key = index.key_name(part.spread.key);
    for (std::size_t n = 0; n < scope.labelled.size(); ++n)
      hard.domain.push_back(index.domain(part.spread.key, NodeIndex(n)));
    hard.pods = CountDomains(index, part);
    hard.among = part.domains;
    hard.max_skew = spread.max_skew;
    hard.min_domains = spread.min_domains;
    hard.self = part.spread.self;
    hard.counted = part.spread.self && CountsAnybody(spread);
  }
}

void AddSpreadScores(const PodIndex& index, const SpreadScope& scope,
                     std::span<const NodeIndex> nodes, double weight, std::span<double> scores) {
  if (scope.parts.empty()) return;
  const auto labelled = [&](NodeIndex node) { return scope.labelled[node.value()]; };
  const std::int64_t labelled_nodes = std::ranges::count_if(nodes, labelled);
  std::vector<double> raw(nodes.size(), 0);
  for (const SpreadScope::Part& part : scope.parts) {
    const std::uint32_t key = part.spread.key;
    std::vector<std::int64_t> pods;
    std::int64_t domains = labelled_nodes;
    if (!part.by_host) {
      pods = CountDomains(index, part);
      std::vector<bool> seen(index.domains(key), false);
      domains = 0;
      for (const NodeIndex node : nodes) {
        if (!labelled(node) || seen[index.domain(key, node)]) continue;
        seen[index.domain(key, node)] = true;
        ++domains;
      }
    }
    const double domain_weight = std::log(static_cast<double>(domains + 2));
    if (part.by_host) {
      pods.assign(scope.labelled.size(), 0);
      if (CountsAnybody(*part.spread.constraint)) {
        for (const auto& [node, count] : index.matched(part.spread.matcher).all) pods[node] = count;
      }
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (!labelled(nodes[i])) continue;
      const std::int64_t count =
          pods[part.by_host ? nodes[i].value() : index.domain(key, nodes[i])];
      raw[i] += static_cast<double>(count) * domain_weight +
                static_cast<double>(part.spread.constraint->max_skew - 1);
    }
  }
  std::int64_t low = INT64_MAX;
  std::int64_t high = 0;
  std::vector<std::int64_t> whole(nodes.size(), 0);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!labelled(nodes[i])) continue;
    whole[i] = std::llround(raw[i]);
    low = std::min(low, whole[i]);
    high = std::max(high, whole[i]);
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!labelled(nodes[i])) continue;
    const std::int64_t score = high == 0 ? 100 : 100 * (high + low - whole[i]) / high;
    scores[i] += weight * static_cast<double>(score);
  }
}

}  // namespace batholith
