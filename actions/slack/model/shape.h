#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>

#include "api/resource_vector.h"

namespace batholith {

// A size in the two resources that slack is reckoned in: millicores and MiB. Memory of nodes is
// rounded down to whole MiB, memory of pods up.
struct Shape {
  std::int64_t cpu_m = 0;
  std::int64_t mem_mib = 0;

  auto operator<=>(const Shape&) const = default;
  bool empty() const { return cpu_m == 0 && mem_mib == 0; }
  bool FitsIn(const Shape& room) const { return cpu_m <= room.cpu_m && mem_mib <= room.mem_mib; }
  // Both saturate.
  Shape operator+(const Shape& o) const {
    return {ResourceVector::AddSaturating(cpu_m, o.cpu_m),
            ResourceVector::AddSaturating(mem_mib, o.mem_mib)};
  }
  Shape operator*(std::int64_t n) const {
    return {ResourceVector::MulSaturating(cpu_m, n), ResourceVector::MulSaturating(mem_mib, n)};
  }
  static Shape Max(const Shape& a, const Shape& b) {
    return {std::max(a.cpu_m, b.cpu_m), std::max(a.mem_mib, b.mem_mib)};
  }
};

inline constexpr std::int64_t kMiB = 1 << 20;

}  // namespace batholith
