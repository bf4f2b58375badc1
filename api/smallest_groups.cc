#include "api/smallest_groups.h"

#include <algorithm>

namespace batholith {

std::vector<std::int64_t> SmallestSums(const std::vector<SubGroupPolicy>& policies,
                                       const std::vector<std::int32_t>& needed,
                                       std::vector<std::vector<std::int64_t>> costs) {
  std::vector<std::int64_t> sums(policies.size());
  for (std::size_t p = policies.size(); p-- > 0;) {  // a part comes after what it is a part of
    std::ranges::sort(costs[p]);
    const std::size_t taken = std::min(costs[p].size(), static_cast<std::size_t>(needed[p]));
    for (std::size_t i = 0; i < taken; ++i) sums[p] += costs[p][i];
    if (policies[p].part_of >= 0 && needed[p] > 0)
      costs[static_cast<std::size_t>(policies[p].part_of)].push_back(sums[p]);
  }
  return sums;
}

}  // namespace batholith
