#pragma once

#include "test/bench/measure.h"

namespace batholith::bench {

// Pods come at MeasureOptions::rate by the wall clock and as many of the oldest go, for
// duration_s. Reports the latency from the moment a pod is due to the decision, and the resident
// memory, of the second and of the last tenth of the time.
void MeasureSoak(const Scenario& scenario, const Sizes& sizes, const Pipeline& pipeline,
                 const MeasureOptions& options, Measurement& out);

}  // namespace batholith::bench
