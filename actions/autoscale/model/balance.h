#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace batholith {

// New sizes of groups after `add` more nodes: the smallest group grows first until all are level,
// ties to the earlier one, none above its max. What finds no room is left out.
// Cost: O(add × groups).
std::vector<std::int64_t> BalanceSizes(std::span<const std::int64_t> current,
                                       std::span<const std::int64_t> max, std::int64_t add);

}  // namespace batholith
