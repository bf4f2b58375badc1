#include "plugins/common/matching.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace batholith {
namespace {

std::optional<std::int64_t> Number(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool Compare(const Requirement& r, const std::string& value) {
  if (r.values.size() != 1) return false;
  const auto left = Number(value);
  const auto right = Number(r.values[0]);
  if (!left || !right) return false;
  return r.op == Requirement::Op::kGt ? *left > *right : *left < *right;
}

}  // namespace

bool MatchesRequirement(const Requirement& r, const Labels& labels) {
  const auto it = labels.find(r.key);
  const bool has = it != labels.end();
  switch (r.op) {
    case Requirement::Op::kIn:
      return has && std::ranges::find(r.values, it->second) != r.values.end();
    case Requirement::Op::kNotIn:
      return !has || std::ranges::find(r.values, it->second) == r.values.end();
    case Requirement::Op::kExists:
      return has;
    case Requirement::Op::kDoesNotExist:
      return !has;
    case Requirement::Op::kGt:
    case Requirement::Op::kLt:
      return has && Compare(r, it->second);
  }
  return false;
}

bool MatchesSelector(const LabelSelector& selector, const Labels& labels) {
  return std::ranges::all_of(selector.requirements,
                             [&](const Requirement& r) { return MatchesRequirement(r, labels); });
}

bool MatchesNodeTerm(const NodeSelectorTerm& term, const NodeRecord& node) {
  if (term.expressions.empty() && term.fields.empty()) return false;
  for (const Requirement& r : term.expressions) {
    if (!MatchesRequirement(r, node.meta.labels)) return false;
  }
  for (const Requirement& r : term.fields) {
    if (r.key != "metadata.name" || !MatchesRequirement(r, {{"metadata.name", node.meta.name}}))
      return false;
  }
  return true;
}

bool MatchesNode(const PodConstraints& c, const NodeRecord& node) {
  for (const auto& [key, value] : c.node_selector) {
    const auto it = node.meta.labels.find(key);
    if (it == node.meta.labels.end() || it->second != value) return false;
  }
  if (!c.has_required_node_affinity) return true;
  return std::ranges::any_of(c.required_node_terms,
                             [&](const NodeSelectorTerm& t) { return MatchesNodeTerm(t, node); });
}

bool Tolerates(const std::vector<Toleration>& tolerations, const Taint& taint) {
  return std::ranges::any_of(tolerations, [&](const Toleration& t) {
    if (t.effect && *t.effect != taint.effect) return false;
    if (!t.key.empty() && t.key != taint.key) return false;
    if (t.key.empty() && !t.exists) return false;
    return t.exists || t.value == taint.value;
  });
}

bool MatchesAffinityTerm(const PodAffinityTerm& term, const std::string& own_namespace,
                         const PodRecord& pod, const Snapshot& snapshot) {
  const std::string& ns = pod.meta.namespace_;
  bool in_namespace = std::ranges::find(term.namespaces, ns) != term.namespaces.end();
  if (term.namespaces.empty() && !term.namespace_selector) in_namespace = ns == own_namespace;
  if (!in_namespace && term.namespace_selector) {
    if (term.namespace_selector->requirements.empty()) {
      in_namespace = true;
    } else {
      const auto facts = std::ranges::find(snapshot.namespaces, ns, &NamespaceFacts::name);
      in_namespace = facts != snapshot.namespaces.end() &&
                     MatchesSelector(*term.namespace_selector, facts->labels);
    }
  }
  return in_namespace && term.selector && MatchesSelector(*term.selector, pod.meta.labels);
}

const std::string* LabelOf(const NodeRecord& node, const std::string& key) {
  const auto it = node.meta.labels.find(key);
  return it == node.meta.labels.end() ? nullptr : &it->second;
}

std::vector<TaskIndex> StandingTasks(const Snapshot& snapshot, const SessionState& state) {
  std::vector<TaskIndex> out;
  for (std::size_t t = 0; t < snapshot.tasks.size(); ++t) {
    const TaskIndex task(t);
    const TaskStatus s = state.status(task);
    if (state.node(task).is_none() || s == TaskStatus::kSucceeded || s == TaskStatus::kFailed)
      continue;
    if (s == TaskStatus::kReleasing && snapshot.tasks[t].status != TaskStatus::kReleasing) continue;
    out.push_back(task);
  }
  return out;
}

}  // namespace batholith
