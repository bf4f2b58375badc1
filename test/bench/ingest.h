#pragma once

#include "test/bench/measure.h"

namespace batholith::bench {

// JSON of nodes and pods, as a watch brings it, becomes records of a live cluster: each node and
// each pod comes once, then each pod is told again, on a node. One thread. A check: as many records
// as objects, and every pod on its node.
void MeasureIngest(const Sizes& sizes, const MeasureOptions& options, Measurement& out);

}  // namespace batholith::bench
