#pragma once

#include <cstdint>

#include "api/cluster_objects.h"

namespace batholith::property {

// A small cluster that gives every plugin and action something to do: one of RandomCluster or of
// RandomQuotas, with what these leave out put over it: trees of queues, groups of nodes, revocable
// zones, budgets and cooldowns, sub-groups, resource quotas, elastic quotas of three dialects for
// its namespaces, pods of the system and of DaemonSets, mirrors, buffers, groups that autoscaling
// may resize. Labels and annotations say what the records say, so a dump keeps all of it.
ClusterObjects MixedCluster(std::uint64_t seed);

}  // namespace batholith::property
