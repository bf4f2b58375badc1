#pragma once

#include <map>
#include <string>
#include <vector>

#include "api/cluster_objects.h"
#include "api/effect.h"

// What must hold of sessions with elastic quotas, computed again from the objects and the decisions
// alone, for clusters of RandomQuotas. Each check returns one sentence for each violation.
namespace batholith::property {

// What pods that have a node, or get one now, ask for; by the identity of their quota.
std::map<std::string, ResourceList> UsedByQuota(const ClusterObjects& objects,
                                                const CycleResult& result);

// A quota that got a pod now uses no more than its max, and no more than its parent's, in what its
// new pods ask for; the flat dialects use no more in all than all their minimums, in what some min
// lists. Pods that are leaving still count.
// `parents`: off where the conf checks as Koordinator does by default.
std::vector<std::string> CheckQuotasHold(const ClusterObjects& objects, const CycleResult& result,
                                         bool parents);

// Nobody is evicted who may not be preempted; nobody for a pod of another dialect or for one that
// no quota binds, unless no quota binds him either.
std::vector<std::string> CheckQuotaVictims(const ClusterObjects& objects,
                                           const CycleResult& result);

// Pods that wait although their quota is within its min with them and some node has the room.
// REQUIRES: one dialect; single pods.
std::vector<std::string> StarvedWithinMin(const ClusterObjects& objects);

}  // namespace batholith::property
