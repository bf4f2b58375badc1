#pragma once

#include "api/snapshot.h"

namespace batholith {

// Whether placeholders without constraints may stand there: ready, schedulable, staying, not of the
// control plane, without a taint that keeps pods away. Such nodes count for averages, too.
bool TakesSlack(const NodeFacts& node);
// Whether somebody is about to take the node out of the cluster.
bool IsGoing(const NodeRecord& node);

}  // namespace batholith
