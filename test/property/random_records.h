#pragma once

#include <cstdint>

#include "api/cluster_objects.h"

namespace batholith::property {

// A few records of each kind with any value in any field that a decoder can give it, sensible or
// not: texts with quotes, line breaks and accents, the ends of number ranges, lists that are empty
// where nobody writes empty ones. The same seed gives the same records. No session could use them.
ClusterObjects RandomRecords(std::uint64_t seed);

}  // namespace batholith::property
