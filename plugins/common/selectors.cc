#include "plugins/common/selectors.h"

#include <algorithm>
#include <charconv>

namespace batholith {
namespace {

std::optional<std::int64_t> ParseWhole(const std::string& text) {
  std::int64_t value = 0;
  const char* first = text.data();
  const char* last = first + text.size();
  if (text.size() > 1 && *first == '+') ++first;
  const auto [end, error] = std::from_chars(first, last, value);
  if (error != std::errc() || end != last) return std::nullopt;
  return value;
}

bool Compares(const Requirement& r, const std::string& text) {
  if (r.values.size() != 1) return false;
  const auto have = ParseWhole(text);
  const auto bound = ParseWhole(r.values.front());
  if (!have || !bound) return false;
  return r.op == Requirement::Op::kGt ? *have > *bound : *have < *bound;
}

// `value`: nullptr where the key is absent.
bool Holds(const Requirement& r, const std::string* value) {
  const auto listed = [&] { return std::ranges::find(r.values, *value) != r.values.end(); };
  switch (r.op) {
    case Requirement::Op::kIn:
      return value != nullptr && listed();
    case Requirement::Op::kNotIn:
      return !r.values.empty() && (value == nullptr || !listed());
    case Requirement::Op::kExists:
      return value != nullptr;
    case Requirement::Op::kDoesNotExist:
      return value == nullptr;
    case Requirement::Op::kGt:
    case Requirement::Op::kLt:
      return value != nullptr && Compares(r, *value);
  }
  return false;
}

}  // namespace

bool MatchesLabels(std::span<const Requirement> requirements, const Labels& labels) {
  return std::ranges::all_of(requirements, [&](const Requirement& r) {
    const auto it = labels.find(r.key);
    return Holds(r, it == labels.end() ? nullptr : &it->second);
  });
}

bool MatchesSelector(const std::optional<LabelSelector>& selector, const Labels& labels) {
  return selector && MatchesLabels(selector->requirements, labels);
}

bool MatchesTerm(const NodeSelectorTerm& term, const NodeRecord& node) {
  if (term.expressions.empty() && term.fields.empty()) return false;
  return MatchesLabels(term.expressions, node.meta.labels) &&
         std::ranges::all_of(term.fields, [&](const Requirement& r) {
           return r.key == "metadata.name" && Holds(r, &node.meta.name);
         });
}

bool MatchesNode(const PodConstraints& constraints, const NodeRecord& node) {
  for (const auto& [key, value] : constraints.node_selector) {
    const auto it = node.meta.labels.find(key);
    if (it == node.meta.labels.end() || it->second != value) return false;
  }
  return !constraints.has_required_node_affinity ||
         std::ranges::any_of(constraints.required_node_terms,
                             [&](const NodeSelectorTerm& term) { return MatchesTerm(term, node); });
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
