#pragma once

#include <cstdint>

#include "api/resource_vector.h"
#include "api/wide.h"

namespace batholith {

// A share as an exact fraction. Shares of the same totals compare without rounding.
struct Share {
  std::int64_t used = 0;
  std::int64_t total = 1;

  double value() const { return static_cast<double>(used) / static_cast<double>(total); }
  // used/total/weight against the other's.
  static bool Less(const Share& a, std::int64_t weight_a, const Share& b, std::int64_t weight_b) {
    // used × weight × total: 2^63 × 2^16 × 2^63 would not fit, so the common case of one dimension
    // is reduced first.
    if (a.total == b.total)
      return static_cast<Wide>(a.used) * weight_b < static_cast<Wide>(b.used) * weight_a;
    const Wide left = static_cast<Wide>(a.used) * b.total;
    const Wide right = static_cast<Wide>(b.used) * a.total;
    if (weight_a == weight_b) return left < right;
    constexpr Wide kLimit = static_cast<Wide>(1) << 100;
    if (left < kLimit && right < kLimit && weight_a < (1 << 26) && weight_b < (1 << 26)) {
      return left * weight_b < right * weight_a;
    }
    return static_cast<long double>(left) * static_cast<long double>(weight_b) <
           static_cast<long double>(right) * static_cast<long double>(weight_a);
  }
};

// max over the dimensions of total: used / total; a dimension that the total lacks counts 1 when it
// is used. Source: dominant resource fairness (Ghodsi et al., NSDI 2011).
template <typename Amounts>  // a ResourceVector or a row of a table
Share DominantShare(const Amounts& used, const ResourceVector& total, std::size_t dimensions) {
  Share best;
  for (std::size_t r = 0; r < dimensions; ++r) {
    if (used[r] <= 0) continue;
    const Share s = total[r] > 0 ? Share{used[r], total[r]} : Share{1, 1};
    if (Share::Less(best, 1, s, 1)) best = s;
  }
  return best;
}

}  // namespace batholith
