#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace batholith {

// How close together the pods of a group, or of a part of it, are to run: within one HyperNode.
struct NetworkTopology {
  bool hard = true;                          // else: as close as can be had
  std::optional<std::int32_t> highest_tier;  // of that HyperNode; absent, and no name: any
  std::string highest_tier_name;             // the same by its tierName
  bool limited() const { return hard && (highest_tier || !highest_tier_name.empty()); }
  bool operator==(const NetworkTopology&) const = default;
};

}  // namespace batholith
