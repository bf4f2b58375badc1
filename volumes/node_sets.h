#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/volumes.h"

namespace batholith {

// The nodes that selectors match, each selector worked out once. Nodes are numbered by their place
// in the list. One thread fills it; reading is safe from several.
class NodeSets {
 public:
  using Id = std::uint32_t;
  static constexpr Id kAll = 0;
  static constexpr Id kNone = 1;

  explicit NodeSets(std::vector<const NodeRecord*> nodes);

  const NodeRecord& node(std::uint32_t n) const { return *nodes_[n]; }
  std::size_t node_count() const { return nodes_.size(); }
  // The node's number; -1: there is none of the name. Cost: O(nodes) once.
  std::int64_t Find(const std::string& name);

  // A volume's node affinity; absent: all nodes. Cost: the nodes of a label where a term names
  // one by In, else all.
  Id Of(const std::optional<std::vector<NodeSelectorTerm>>& affinity);
  // allowedTopologies; empty: all nodes.
  Id Of(const std::vector<std::vector<Requirement>>& topologies);
  // nodeTopology of a capacity; absent: none, empty: all nodes.
  Id Of(const std::optional<LabelSelector>& labels);

  bool Has(Id set, std::uint32_t node) const;
  std::size_t SizeOf(Id set) const;
  // The sets that have the node; not kAll.
  std::span<const Id> SetsWith(std::uint32_t node) const { return sets_with_[node]; }

 private:
  using Nodes = std::vector<std::uint32_t>;

  Id Intern(const std::vector<NodeSelectorTerm>& terms);
  void AddMatches(const NodeSelectorTerm& term, Nodes& out);
  // The nodes among which all matches are; nullptr: all.
  const Nodes* WithLabel(const std::string& key, const std::string& value);

  std::vector<const NodeRecord*> nodes_;
  std::vector<Nodes> sets_;                 // in order; kAll and kNone are empty
  std::vector<std::vector<Id>> sets_with_;  // by node
  std::unordered_map<std::string, Id> known_;
  std::unordered_map<std::string, std::unordered_map<std::string_view, Nodes>> by_label_;
  std::unordered_map<std::string_view, std::uint32_t> by_name_;
};

}  // namespace batholith
