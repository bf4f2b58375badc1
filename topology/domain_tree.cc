#include "topology/domain_tree.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "api/sort_unique.h"

namespace batholith {

DomainTree::DomainTree(std::vector<DomainSpec> specs, std::size_t nodes) {
  Domain root{.name = std::string(kRootName), .tier = 1};
  lowest_tier_ = specs.empty() ? 1 : INT64_MAX;
  for (const DomainSpec& spec : specs) {
    root.tier = std::max(root.tier, spec.tier + 1);
    lowest_tier_ = std::min(lowest_tier_, spec.tier);
  }
  domains_.push_back(std::move(root));
  Number(specs, nodes);
  ListLeaves(nodes);
}

// Goes down from the root with a stack of its own; nodes that no domain has come first.
void DomainTree::Number(std::vector<DomainSpec>& specs, std::size_t nodes) {
  const std::size_t top = specs.size();
  std::vector<std::vector<std::size_t>> inside(specs.size() + 1);
  std::vector<bool> held(nodes);
  for (std::size_t i = 0; i < specs.size(); ++i) {
    inside[specs[i].parent == DomainSpec::kNoParent ? top : specs[i].parent].push_back(i);
    for (const NodeIndex node : specs[i].nodes) held[node.value()] = true;
  }
  for (std::vector<std::size_t>& siblings : inside)
    std::ranges::sort(siblings, std::ranges::greater(),
                      [&](std::size_t i) { return std::pair(std::cref(specs[i].name).get(), i); });
  const auto put = [&](NodeIndex node, DomainIndex leaf) {
    nodes_.push_back(node);
    leaf_at_.push_back(leaf);
  };
  for (std::size_t n = 0; n < nodes; ++n) {
    if (!held[n]) put(NodeIndex(n), kRoot);
  }
  struct Step {
    std::size_t spec;
    DomainIndex parent;
    DomainIndex close;  // set: all inside this one is done
  };
  std::vector<Step> steps;
  for (const std::size_t i : inside[top]) steps.push_back({i, kRoot, {}});
  while (!steps.empty()) {
    const Step step = steps.back();
    steps.pop_back();
    if (!step.close.is_none()) {
      domains_[step.close.value()].end = domains_.size();
      domains_[step.close.value()].last_node = nodes_.size();
      continue;
    }
    DomainSpec& spec = specs[step.spec];
    const DomainIndex own(domains_.size());
    domains_.push_back({std::move(spec.name), spec.tier, step.parent, 0, nodes_.size(), 0});
    SortUnique(spec.nodes);
    for (const NodeIndex node : spec.nodes) put(node, own);
    steps.push_back({0, {}, own});
    for (const std::size_t i : inside[step.spec]) steps.push_back({i, own, {}});
  }
  domains_[0].end = domains_.size();
  domains_[0].last_node = nodes_.size();
}

void DomainTree::ListLeaves(std::size_t nodes) {
  first_leaf_.assign(nodes + 1, 0);
  for (const NodeIndex node : nodes_) ++first_leaf_[node.value() + 1];
  std::partial_sum(first_leaf_.begin(), first_leaf_.end(), first_leaf_.begin());
  leaves_.resize(nodes_.size());
  std::vector<std::size_t> next(first_leaf_.begin(), first_leaf_.end() - 1);
  for (std::size_t i = 0; i < nodes_.size(); ++i) leaves_[next[nodes_[i].value()]++] = leaf_at_[i];
  for (std::size_t n = 0; n < nodes; ++n) {
    const std::span<const DomainIndex> leaves = LeavesOf(NodeIndex(n));
    for (std::size_t i = 1; i < leaves.size(); ++i)
      repeated_.push_back({NodeIndex(n), Common(leaves[i - 1], leaves[i])});
  }
  leaf_at_ = {};
}

DomainIndex DomainTree::LeafOf(NodeIndex node) const {
  return *std::ranges::min_element(LeavesOf(node), {},
                                   [&](DomainIndex d) { return domains_[d.value()].tier; });
}

bool DomainTree::Holds(DomainIndex d, NodeIndex node) const {
  return d == kRoot ||
         std::ranges::any_of(LeavesOf(node), [&](DomainIndex leaf) { return Inside(leaf, d); });
}

DomainIndex DomainTree::Common(DomainIndex a, DomainIndex b) const {
  while (!Inside(b, a)) a = domains_[a.value()].parent;
  return a;
}

DomainIndex DomainTree::Common(DomainIndex d, NodeIndex node) const {
  DomainIndex best = kRoot;
  for (const DomainIndex leaf : LeavesOf(node)) {
    const DomainIndex common = Common(d, leaf);
    if (domains_[common.value()].tier < domains_[best.value()].tier) best = common;
  }
  return best;
}

}  // namespace batholith
