#pragma once

#include "cmd/kube_commands.h"

namespace batholith {

// Prints a queue: its place in the tree, its amounts by resource, who holds what, and why its next
// job waits.
Result<void> ExplainQueue(KubeRun& run);

}  // namespace batholith
