#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "api/ids.h"

namespace batholith {

using DomainIndex = Index<struct DomainTag>;

// Nodes that are close to each other, and the domains inside: contiguous ranges, since domains are
// numbered from the root down, each followed by all that is inside it.
struct Domain {
  std::string name;
  std::int64_t tier = 0;    // lower: closer
  DomainIndex parent = {};  // none: the root
  std::size_t end = 0;      // domains from its own index up to here are inside it
  std::size_t first_node = 0;
  std::size_t last_node = 0;  // one beyond, in DomainTree's list of nodes
};

// One domain as it is told: its nodes beside those of the domains inside it.
struct DomainSpec {
  static constexpr std::size_t kNoParent = SIZE_MAX;
  std::string name;
  std::int64_t tier = 0;
  std::size_t parent = kNoParent;  // place of the one that it is inside of
  std::vector<NodeIndex> nodes;
};

// All domains of a cluster. The first one, the root, holds every node; its tier is one above the
// highest. A node may stand in several domains of which none is inside the other. Immutable.
class DomainTree {
 public:
  static constexpr std::size_t kMostLevels = 32;
  static constexpr std::string_view kRootName = "<cluster-top-hypernode>";

  // REQUIRES: no cycle among parents, at most kMostLevels levels. Siblings are put in the order of
  // their names. Cost: O(specs log specs + nodes of specs × levels).
  DomainTree(std::vector<DomainSpec> specs, std::size_t nodes);

  static constexpr DomainIndex kRoot{0};
  std::size_t size() const { return domains_.size(); }
  const Domain& operator[](DomainIndex d) const { return domains_[d.value()]; }
  bool only_root() const { return domains_.size() == 1; }
  std::int64_t root_tier() const { return domains_[0].tier; }
  std::int64_t lowest_tier() const { return lowest_tier_; }  // of those below the root

  // Nodes inside the domain; one that stands in several domains inside it comes several times.
  std::span<const NodeIndex> NodesIn(DomainIndex d) const {
    return std::span(nodes_).subspan(
        domains_[d.value()].first_node,
        domains_[d.value()].last_node - domains_[d.value()].first_node);
  }
  // The innermost domains that the node stands in, by index; the root where there is no other.
  std::span<const DomainIndex> LeavesOf(NodeIndex node) const {
    return std::span(leaves_).subspan(first_leaf_[node.value()],
                                      first_leaf_[node.value() + 1] - first_leaf_[node.value()]);
  }
  // That of the lowest tier, then of the lowest index.
  DomainIndex LeafOf(NodeIndex node) const;
  // Where the node is counted twice: the innermost domain around two leaves of it that follow each
  // other. It belongs as often to that and to all around it.
  struct Repeated {
    NodeIndex node;
    DomainIndex domain;
  };
  std::span<const Repeated> repeated() const { return repeated_; }

  bool Inside(DomainIndex inner, DomainIndex outer) const {
    return outer <= inner && inner.value() < domains_[outer.value()].end;
  }
  bool Holds(DomainIndex d, NodeIndex node) const;
  // The innermost domain around both. Cost: O(levels).
  DomainIndex Common(DomainIndex a, DomainIndex b) const;
  // The innermost domain around `d` and the node, where the node has several leaves: the lowest
  // tier.
  DomainIndex Common(DomainIndex d, NodeIndex node) const;

 private:
  void Number(std::vector<DomainSpec>& specs, std::size_t nodes);
  void ListLeaves(std::size_t nodes);

  std::vector<Domain> domains_;
  std::vector<NodeIndex> nodes_;         // by leaf
  std::vector<DomainIndex> leaf_at_;     // of nodes_[i], while it is made
  std::vector<DomainIndex> leaves_;      // node by node
  std::vector<std::size_t> first_leaf_;  // by node, and the end
  std::vector<Repeated> repeated_;
  std::int64_t lowest_tier_ = 0;
};

}  // namespace batholith
