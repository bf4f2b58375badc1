#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "api/hyper_node.h"
#include "topology/domain_tree.h"

namespace batholith {

// The domains of a cluster, and what is wrong with what they are made of.
struct Domains {
  DomainTree tree;
  // By tierName: the tier; of one that several tiers have, the lowest.
  std::map<std::string, std::int64_t, std::less<>> tier_of_name;
  std::vector<std::string> notices;
};

// Of HyperNodes. One that cannot be read, is on a cycle, or is a member of two others is left out
// with all that is inside it, and told; members that are not there are passed over. Errors: none.
// Cost: near-linear in members and nodes; patterns and label selectors that narrow nothing down are
// looked up in at most kMostLookUps names in all, and who needs more is left out and told.
// Source: HyperNodes of Volcano; docs/topology.md has what differs.
inline constexpr std::size_t kMostLookUps = 5'000'000;
Domains DomainsOfHyperNodes(std::span<const HyperNodeRecord> hyper_nodes,
                            std::span<const NodeRecord* const> nodes);

// Of node labels, from the widest to the closest, which is tier 1. A domain is its label's value
// inside the domain around it; a node that lacks a label is in no domain of it, nor of a closer
// one.
Domains DomainsOfLabels(std::span<const std::string> keys,
                        std::span<const NodeRecord* const> nodes);

}  // namespace batholith
