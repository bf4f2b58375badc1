#pragma once

#include "test/bench/measure.h"

namespace batholith::bench {

// What a live cluster of the scenario takes up for a node and for a pod (its share of a group
// included), what a snapshot adds, and how many heap allocations a session makes: one that places
// all pending pods, and one that has nothing to do.
void MeasureMemory(const Scenario& scenario, const Sizes& sizes, const Pipeline& pipeline,
                   const MeasureOptions& options, Measurement& out);

}  // namespace batholith::bench
