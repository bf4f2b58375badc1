#include "actions/autoscale/model/balance.h"

#include <cstddef>

namespace batholith {

std::vector<std::int64_t> BalanceSizes(std::span<const std::int64_t> current,
                                       std::span<const std::int64_t> max, std::int64_t add) {
  std::vector<std::int64_t> sizes(current.begin(), current.end());
  for (std::int64_t i = 0; i < add; ++i) {
    std::size_t smallest = sizes.size();
    for (std::size_t g = 0; g < sizes.size(); ++g) {
      const bool better = smallest == sizes.size() || sizes[g] < sizes[smallest];
      if (sizes[g] < max[g] && better) smallest = g;
    }
    if (smallest == sizes.size()) break;
    ++sizes[smallest];
  }
  return sizes;
}

}  // namespace batholith
