#pragma once

#include "cache/snapshot_options.h"

namespace batholith {

// Holds the pods that wait and need what this build does not do, but for what the options ignore:
// fills TaskFacts::unmet. Claims of pods for devices are done, unless the options hold them; those
// of groups are not. REQUIRES: every index of the snapshot is set. Cost: O(tasks); nodes are looked
// at only where a pod asks for a share of a GPU.
void HoldWhatIsUnmet(const SnapshotOptions& options, Snapshot& snapshot);

}  // namespace batholith
