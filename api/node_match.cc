#include "api/node_match.h"

#include <algorithm>

namespace batholith {

bool MatchesTerm(const NodeSelectorTerm& term, const NodeRecord& node) {
  if (term.expressions.empty() && term.fields.empty()) return false;
  return MatchesLabels(term.expressions, node.meta.labels) &&
         std::ranges::all_of(term.fields, [&](const Requirement& r) {
           return r.key == "metadata.name" && MatchesRequirement(r, &node.meta.name);
         });
}

bool MatchesAnyTerm(std::span<const NodeSelectorTerm> terms, const NodeRecord& node) {
  return std::ranges::any_of(terms,
                             [&](const NodeSelectorTerm& term) { return MatchesTerm(term, node); });
}

bool MatchesNode(const PodConstraints& constraints, const NodeRecord& node) {
  for (const auto& [key, value] : constraints.node_selector) {
    const auto it = node.meta.labels.find(key);
    if (it == node.meta.labels.end() || it->second != value) return false;
  }
  return !constraints.has_required_node_affinity ||
         MatchesAnyTerm(constraints.required_node_terms, node);
}

bool Tolerates(const Toleration& toleration, const Taint& taint) {
  if (toleration.effect && *toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  return toleration.exists || toleration.value == taint.value;
}

bool Tolerates(std::span<const Toleration> tolerations, const Taint& taint) {
  return std::ranges::any_of(
      tolerations, [&](const Toleration& toleration) { return Tolerates(toleration, taint); });
}

const Taint* UntoleratedTaint(std::span<const Toleration> tolerations, const NodeRecord& node) {
  for (const Taint& taint : node.taints) {
    if (taint.effect != TaintEffect::kPreferNoSchedule && !Tolerates(tolerations, taint)) {
      return &taint;
    }
  }
  return nullptr;
}

bool PortsConflict(const HostPort& a, const HostPort& b) {
  constexpr std::string_view kEveryAddress = "0.0.0.0";
  return a.port > 0 && a.port == b.port && a.protocol == b.protocol &&
         (a.ip == b.ip || a.ip == kEveryAddress || b.ip == kEveryAddress);
}

}  // namespace batholith
