#pragma once

#include "api/snapshot.h"

namespace batholith {

// Sets how many pods the gangs of Koordinator need at once, by what their annotation match-policy
// counts towards their minimum. Tells of values that are none. REQUIRES: all pods have joined their
// jobs. Cost: O(jobs), and the pods of such gangs. Source: Koordinator's gang scheduling.
void ApplyMatchPolicies(Snapshot& snapshot);

}  // namespace batholith
