#pragma once

#include "cmd/kube_api.h"
#include "scheduler/run_outcome.h"

namespace batholith {

// What a cluster would hold after a simulation, with the statuses that the scheduler would have
// written: of pods, pod groups, queues and quotas.
Objects FinalObjects(const RunOutcome& run);

}  // namespace batholith
