#pragma once

#include <string>
#include <vector>

#include "api/cluster_objects.h"
#include "api/effect.h"
#include "framework/pipeline.h"

namespace batholith {

// Two plugins of a conf that refuse each other's victims in this cluster, one sentence each with
// what helps: elastic quotas are guaranteed more than their queue deserves, so that whom they want
// back from other queues the owner of shares keeps. `result`: of a session under the conf. The
// sentences have no amounts, so that each is told once. Cost: O(jobs log jobs).
std::vector<std::string> VictimConflicts(const ClusterObjects& objects, const Pipeline& pipeline,
                                         const CycleResult& result);

}  // namespace batholith
