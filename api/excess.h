#pragma once

#include <algorithm>
#include <cstdint>

#include "api/wide.h"

namespace batholith {

// What `held` and `asked` go beyond the limit; ≤ 0: they do not. Exact where they add up to more
// than an int64 holds, but for a result that is itself too large: that is INT64_MAX − 1.
inline std::int64_t ExcessOver(std::int64_t held, std::int64_t asked, std::int64_t limit) {
  return static_cast<std::int64_t>(
      std::clamp<Wide>(Wide{held} + Wide{asked} - Wide{limit}, INT64_MIN, INT64_MAX - 1));
}

}  // namespace batholith
