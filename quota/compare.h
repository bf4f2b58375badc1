#pragma once

#include <bit>
#include <cstdint>

#include "quota/options.h"
#include "quota/quota_list.h"

namespace batholith {

// Which resources a comparison looks at, as one bit per dimension: each dialect
// has its own rule of what a max or a min that does not list a resource means.

// Bits of the dimensions in which v is above 0.
std::uint32_t AskedDimensions(const ResourceVector& v, std::size_t dimensions);

// Calls f with each dimension of the bits, lowest first.
template <typename F>
void ForEachDimension(std::uint32_t bits, F f) {
  for (; bits != 0; bits &= bits - 1) f(static_cast<std::size_t>(std::countr_zero(bits)));
}

struct CompareRule {
  QuotaDialect dialect = QuotaDialect::kSchedulerPlugins;
  bool upstream = false;     // as the dialect's own scheduler does
  std::uint32_t always = 0;  // what the dialect always looks at: cpu, memory, (ephemeral-storage)
  std::size_t dimensions = 0;

  static CompareRule Of(QuotaDialect dialect, bool upstream, const ResourceSchema& schema);
  // The dimensions in which something that holds or asks `amounts` is compared with a bound that
  // lists `listed`.
  std::uint32_t Looked(const ResourceVector& amounts, std::uint32_t listed) const;
};

// A max as limits: what it does not list is unlimited, or 0 where the dialect's scheduler has it so
// (cpu, memory and ephemeral-storage of a max that is there).
ResourceLimits MaxLimits(const CompareRule& rule, bool missing_is_upstream, bool has_max,
                         const QuotaList& max);

// The first dimension of `looked` in which left is above the bound; none: −1.
template <typename Bound>
int FirstAbove(const ResourceVector& left, const Bound& bound, std::uint32_t looked,
               std::size_t dimensions) {
  for (std::size_t r = 0; r < dimensions; ++r) {
    if ((looked >> r & 1U) != 0 && left[r] > bound[r]) return static_cast<int>(r);
  }
  return -1;
}

}  // namespace batholith
