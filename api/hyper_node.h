#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/objects.h"

namespace batholith {

// Who belongs to a HyperNode: one way of naming them is set.
struct HyperNodeMember {
  bool is_node = true;                  // else HyperNodes
  std::string name;                     // exactMatch
  std::string pattern;                  // regexMatch, found anywhere in a name
  std::optional<LabelSelector> labels;  // labelMatch, of nodes
  bool operator==(const HyperNodeMember&) const = default;
};

// topology.volcano.sh HyperNode: nodes, or HyperNodes, that are close to each other.
struct HyperNodeRecord {
  ObjectMeta meta;
  std::int32_t tier = 0;  // lower: closer
  std::string tier_name;
  std::vector<HyperNodeMember> members;
  std::int64_t node_count = 0;  // status.nodeCount
  bool operator==(const HyperNodeRecord&) const = default;
};

}  // namespace batholith
