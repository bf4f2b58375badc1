#include "quota/share.h"

#include <algorithm>

namespace batholith {

QuotaShare ShareOfQuota(const QuotaForest& forest, QuotaIndex q, const ResourceVector& used) {
  const QuotaNode& n = forest.node(q);
  const QuotaLimit limit = forest.LimitOf(q);
  bool below = !n.min.empty();
  double share = 0;
  for (std::size_t r = 0; r < forest.dimensions(); ++r) {
    if (n.min.Has(r) && used[r] >= n.min[r]) below = false;
    if (used[r] <= 0 || limit[r] == ResourceLimits::kUnlimited) continue;
    share = std::max(
        share, limit[r] <= 0 ? 1e6 : static_cast<double>(used[r]) / static_cast<double>(limit[r]));
  }
  return {!below, share};
}

}  // namespace batholith
