#pragma once

#include "api/snapshot.h"

namespace batholith {

// Holds the pods that wait and need what this build does not do, but for what is `ignored`: fills
// TaskFacts::unmet. REQUIRES: every index of the snapshot is set. Cost: O(tasks); nodes are looked
// at only where a pod asks for a share of a GPU.
void HoldWhatIsUnmet(PlacementNeedSet ignored, Snapshot& snapshot);

}  // namespace batholith
