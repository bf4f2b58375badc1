#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "api/objects.h"
#include "topology/domain_tree.h"

namespace batholith {

// Labels of nodes: one around all others, which know nothing of each other.
struct LabelKeys {
  std::string around;              // empty: none
  std::vector<std::string> close;  // sorted, each once
  bool empty() const { return around.empty() && close.empty(); }
  auto operator<=>(const LabelKeys&) const = default;
};

// Tier of the domains of the label around, or of a close one; 0: it is none of them.
std::int64_t TierOfAround(const LabelKeys& keys, const std::string& label);
std::int64_t TierOfClose(const LabelKeys& keys, const std::string& label);
// A domain for each value of a label, of the close ones inside each value of the one around. A node
// without a value is in no domain of that label; without one of the label around, in none at all.
DomainTree TreeOfLabels(const LabelKeys& keys, std::span<const NodeRecord* const> nodes);

}  // namespace batholith
