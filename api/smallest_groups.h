#pragma once

#include <cstdint>
#include <vector>

#include "api/objects.h"

namespace batholith {

// The least that each policy needs, by policy, where it takes the `needed` cheapest of its groups,
// or all where it has fewer. `costs`: of its sub-jobs, by policy; a policy that is a part of
// another one and needs anything counts there as a group at its own sum. Cost: O(groups × log
// groups).
std::vector<std::int64_t> SmallestSums(const std::vector<SubGroupPolicy>& policies,
                                       const std::vector<std::int32_t>& needed,
                                       std::vector<std::vector<std::int64_t>> costs);

}  // namespace batholith
