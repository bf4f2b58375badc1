#include "quota/over_quota.h"

#include <algorithm>

#include "api/wide.h"

namespace batholith {
namespace {

std::int64_t Unused(std::int64_t min, std::int64_t used) {
  return std::max<std::int64_t>(ResourceVector::SubSaturating(min, used), 0);
}

}  // namespace

void OverQuotaSums::Add(const QuotaList& min_of, const ResourceVector& used,
                        std::size_t dimensions) {
  min += min_of.values();
  for (std::size_t r = 0; r < dimensions; ++r)
    unused[r] = ResourceVector::AddSaturating(unused[r], Unused(min_of[r], used[r]));
}

void OverQuotaSums::Change(std::size_t r, std::int64_t min_of, std::int64_t before,
                           std::int64_t after) {
  unused[r] =
      ResourceVector::AddSaturating(unused[r], Unused(min_of, after) - Unused(min_of, before));
}

ResourceVector GuaranteedOverQuota(const OverQuotaSums& sums, const QuotaList& min_of,
                                   std::size_t dimensions) {
  ResourceVector out;
  for (std::size_t r = 0; r < dimensions; ++r) {
    if (sums.min[r] <= 0 || min_of[r] <= 0) continue;
    out[r] = static_cast<std::int64_t>(static_cast<Wide>(sums.unused[r]) * min_of[r] / sums.min[r]);
  }
  return out;
}

}  // namespace batholith
