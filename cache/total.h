#pragma once

#include "api/snapshot.h"

namespace batholith {

// Sums up what usable nodes have, and what runs on the others; returns what pods of other
// schedulers hold. REQUIRES: it is known which nodes are usable. Cost: O(nodes + tasks).
ResourceVector AddTotal(Snapshot& snapshot);

// What one task more, or one less, is to these sums, and what is shared of them.
enum class TaskChange : std::uint8_t { kComes, kGoes };
void ChangeTotal(const TaskFacts& task, TaskChange change, Snapshot& snapshot,
                 ResourceVector& foreign);
void ShareTotal(const ResourceVector& foreign, Snapshot& snapshot);

// Sums that are so large that they may have been cut off, so that nothing can be taken off again.
bool IsCutOff(const ResourceVector& sums);

}  // namespace batholith
