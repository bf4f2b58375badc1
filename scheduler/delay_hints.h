#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "api/cluster_objects.h"
#include "api/effect.h"
#include "framework/pipeline.h"

namespace batholith {

// Delays of a conf that outlast a simulation and hold back what somebody may look for in it, one
// sentence each. `last` is the session at `end`, so long after the first one; `objects` are those
// that it left. Cost: O(jobs log groups).
std::vector<std::string> DelayHints(const ClusterObjects& objects, const Pipeline& pipeline,
                                    const CycleResult& last, TimeNs end,
                                    std::chrono::nanoseconds length);

}  // namespace batholith
