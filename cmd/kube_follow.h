#pragma once

#include "cmd/kube_listing.h"

namespace batholith {

// Prints the table of a list, then each row that is new or another one; of an object that is gone
// its last row once more, as kubectl does. With json and yaml the objects, a document each.
// Ends the run's client. Ends with --request-timeout; without, never.
Result<void> Follow(KubeRun& run, const ListOf& list);

}  // namespace batholith
