#include "volumes/node_sets.h"

#include <algorithm>
#include <utility>

#include "api/node_match.h"
#include "api/sort_unique.h"

namespace batholith {
namespace {

// Text with the length of every part before it, so that no two selectors read the same.
class KeyWriter {
 public:
  void Number(std::size_t number) { out_ += std::to_string(number) + ' '; }
  void Text(const std::string& text) {
    Number(text.size());
    out_ += text;
  }
  void Requirements(const std::vector<Requirement>& list) {
    Number(list.size());
    for (const Requirement& r : list) {
      Text(r.key);
      Number(static_cast<std::size_t>(r.op));
      Number(r.values.size());
      for (const std::string& value : r.values) Text(value);
    }
  }
  std::string Take() { return std::move(out_); }

 private:
  std::string out_;
};

std::string KeyOfTerms(const std::vector<NodeSelectorTerm>& terms) {
  KeyWriter key;
  for (const NodeSelectorTerm& term : terms) {
    key.Requirements(term.expressions);
    key.Requirements(term.fields);
  }
  return key.Take();
}

}  // namespace

NodeSets::NodeSets(std::vector<const NodeRecord*> nodes)
    : nodes_(std::move(nodes)), sets_(2), sets_with_(nodes_.size()) {}

std::int64_t NodeSets::Find(const std::string& name) {
  if (by_name_.empty()) {
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) by_name_.emplace(nodes_[n]->meta.name, n);
  }
  const auto it = by_name_.find(name);
  return it == by_name_.end() ? -1 : std::int64_t{it->second};
}

NodeSets::Id NodeSets::Of(const std::optional<std::vector<NodeSelectorTerm>>& affinity) {
  return affinity ? Intern(*affinity) : kAll;
}

NodeSets::Id NodeSets::Of(const std::vector<std::vector<Requirement>>& topologies) {
  if (topologies.empty()) return kAll;
  std::vector<NodeSelectorTerm> terms;
  for (const std::vector<Requirement>& topology : topologies) terms.push_back({topology, {}});
  return Intern(terms);
}

NodeSets::Id NodeSets::Of(const std::optional<LabelSelector>& labels) {
  if (!labels) return kNone;
  return labels->requirements.empty() ? kAll : Intern({{labels->requirements, {}}});
}

NodeSets::Id NodeSets::Intern(const std::vector<NodeSelectorTerm>& terms) {
  const auto [it, added] = known_.try_emplace(KeyOfTerms(terms), static_cast<Id>(sets_.size()));
  if (!added) return it->second;
  Nodes matches;
  for (const NodeSelectorTerm& term : terms) AddMatches(term, matches);
  SortUnique(matches);
  if (matches.empty()) return it->second = kNone;
  if (matches.size() == nodes_.size()) return it->second = kAll;
  for (const std::uint32_t n : matches) sets_with_[n].push_back(it->second);
  sets_.push_back(std::move(matches));
  return it->second;
}

const NodeSets::Nodes* NodeSets::WithLabel(const std::string& key, const std::string& value) {
  static const Nodes kNobody;
  const auto [it, added] = by_label_.try_emplace(key);
  if (added) {
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      const auto label = nodes_[n]->meta.labels->find(key);
      if (label != nodes_[n]->meta.labels->end()) it->second[label->second].push_back(n);
    }
  }
  const auto found = it->second.find(value);
  return found == it->second.end() ? &kNobody : &found->second;
}

void NodeSets::AddMatches(const NodeSelectorTerm& term, Nodes& out) {
  const auto add = [&](std::uint32_t n) {
    if (MatchesTerm(term, *nodes_[n])) out.push_back(n);
  };
  for (const Requirement& field : term.fields) {
    if (field.op != Requirement::Op::kIn || field.values.size() != 1) continue;
    if (const std::int64_t n = Find(field.values.front()); n >= 0)
      add(static_cast<std::uint32_t>(n));
    return;
  }
  const auto named = std::ranges::find(term.expressions, Requirement::Op::kIn, &Requirement::op);
  if (named != term.expressions.end()) {
    for (const std::string& value : named->values) {
      for (const std::uint32_t n : *WithLabel(named->key, value)) add(n);
    }
    return;
  }
  if (term.expressions.empty() && term.fields.empty()) return;
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) add(n);
}

bool NodeSets::Has(Id set, std::uint32_t node) const {
  return set == kAll || std::ranges::binary_search(sets_[set], node);
}

std::size_t NodeSets::SizeOf(Id set) const {
  return set == kAll ? nodes_.size() : sets_[set].size();
}

}  // namespace batholith
