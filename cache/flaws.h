#pragma once

#include "api/snapshot.h"

namespace batholith {

// What could not be read of objects (ObjectMeta::flaw) holds back what it may concern: a pod waits
// for itself, its group, its queue and the queues above it; a node takes no pods for itself and for
// a pod on it whose requests nobody knows. REQUIRES: every index of the snapshot is set, and
// nothing is summed up yet. Cost: O(objects).
void HoldWhatIsUnread(Snapshot& snapshot);

}  // namespace batholith
