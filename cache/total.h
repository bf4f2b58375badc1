#pragma once

#include "api/snapshot.h"

namespace batholith {

// Sums up what usable nodes have, and what runs on the others. REQUIRES: it is known which nodes
// are usable. Cost: O(nodes + tasks).
void AddTotal(Snapshot& snapshot);

}  // namespace batholith
