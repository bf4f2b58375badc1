#pragma once

#include "cmd/kube_listing.h"

namespace batholith {

// Queues as a table; with -o tree below their parents, with what each holds together with those
// below it.
ListOf QueueListing(const KubeRun& run);

}  // namespace batholith
