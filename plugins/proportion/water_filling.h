#pragma once

#include <cstdint>
#include <vector>

#include "api/resource_vector.h"

namespace batholith {

struct WaterFillingQueue {
  std::int64_t weight = 1;
  ResourceVector request;
  ResourceLimits real_capability;
  ResourceVector guarantee;
  ResourceVector deserved;  // out
};

// Divides `total` among queues by weight in rounds: each queue that is not met gets its part of
// what remains, capped by its capability, then by its request on each dimension, and lifted to its
// guarantee; what is not taken remains for the next round. A queue is met when it has all that it
// asks for, or when a round gave it nothing. Units: base units; computed in 2^-40 units and rounded
// down, or up where less than 2^-16 units are missing, so that a third of a thing given three times
// is the thing. REQUIRES: weights > 0. Ends after at most 4 × queues + 16 rounds. Cost: O(rounds ×
// queues × dimensions). Source: Volcano's plugin proportion, which computes in
// doubles; see docs/parity.md.
void FillWater(const ResourceVector& total, std::size_t dimensions,
               std::vector<WaterFillingQueue>& queues);

}  // namespace batholith
