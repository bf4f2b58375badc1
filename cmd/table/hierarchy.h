#pragma once

#include "cmd/text_table.h"
#include "scheduler/run_outcome.h"

namespace batholith {

// The tree of hierarchical DRF as the annotations of the queues have it, drawn, with the weight of
// each part, the queues that stand there, and what it holds with all below it: amounts, and the
// share of the cluster in the resource where that is most. The first row is the head; nothing where
// no queue has such an annotation.
TextRows HierarchyRows(const RunOutcome& run);

}  // namespace batholith
