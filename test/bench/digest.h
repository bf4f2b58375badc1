#pragma once

#include <cstdint>

#include "api/effect.h"

namespace batholith::bench {

// Digests of a result, so that two can be compared without keeping either.
struct Digest {
  std::uint64_t decisions = 0;  // binds, evictions and reservations, in their order
  std::uint64_t all = 0;        // these, and what is told of jobs, queues, quotas, nodes and pods
};

// Cost: O(texts of the result), without heap allocations.
Digest DigestOf(const CycleResult& result);

}  // namespace batholith::bench
