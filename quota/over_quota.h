#pragma once

#include <span>

#include "quota/quota_list.h"

namespace batholith {

// The sums over all quotas of a family from which guaranteed over-quotas are computed. A composite
// counts once.
struct OverQuotaSums {
  ResourceVector min;     // Σ min
  ResourceVector unused;  // Σ max(0, min − used)

  void Add(const QuotaList& min_of, const ResourceVector& used, std::size_t dimensions);
  // What changes when one quota's use of one resource changes.
  void Change(std::size_t r, std::int64_t min_of, std::int64_t before, std::int64_t after);
};

// The part of what the family leaves unused that a quota may count on above its min: per resource
// floor(unused × min / Σ min), multiplied first, in 128 bits. 0 where no min lists it. Source:
// the guaranteed over-quotas of nos.
ResourceVector GuaranteedOverQuota(const OverQuotaSums& sums, const QuotaList& min_of,
                                   std::size_t dimensions);

}  // namespace batholith
