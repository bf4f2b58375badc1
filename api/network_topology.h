#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace batholith {

// How close together the pods of a group, or of a part of it, are to run: within one HyperNode, or
// on nodes with one value of a label.
struct NetworkTopology {
  bool hard = true;                          // else: as close as can be had
  std::optional<std::int32_t> highest_tier;  // of that HyperNode; absent, and no name: any
  std::string highest_tier_name;             // the same by its tierName
  // The label, of groups of scheduling.k8s.io: always hard, without a tier. Empty: HyperNodes.
  std::string node_label;
  bool limited() const {
    return hard && (highest_tier || !highest_tier_name.empty() || !node_label.empty());
  }
  bool of_hyper_nodes() const { return node_label.empty(); }
  bool operator==(const NetworkTopology&) const = default;
};

}  // namespace batholith
