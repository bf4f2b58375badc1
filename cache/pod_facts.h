#pragma once

#include "api/snapshot.h"

namespace batholith {

// What a pod says of itself alone, whatever else is in the cluster: status, priority, and what its
// annotations, gates, owner and name say.
void ReadOwnFacts(const PodRecord& pod, TaskFacts& facts);

// Whether somebody else's labels decide where the pod may go.
bool AsksForLabels(const PodConstraints& constraints);

}  // namespace batholith
