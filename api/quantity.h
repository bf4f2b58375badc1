#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "api/result.h"

namespace batholith {

// Kubernetes quantity text ("500m", "1.5Gi", "129e6", "-3", "128974848000m") → value × scale,
// rounded away from zero as the API server rounds. Exact. Errors: no quantity, or out of the range
// of 64 bits after scaling.
Result<std::int64_t> ParseQuantity(std::string_view text, std::int64_t scale);
// The same, but what is out of the range is cut off at its end: some systems write the largest
// number where they mean no limit.
Result<std::int64_t> ParseQuantityCutOff(std::string_view text, std::int64_t scale);

// Base units → shortest canonical text: "8", "500m", "4Gi" (binary suffix only for memory-like
// resources when it divides), or the plain number.
std::string FormatQuantity(std::int64_t base_units, std::string_view resource);

}  // namespace batholith
