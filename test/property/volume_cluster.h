#pragma once

#include <cstdint>

#include "api/cluster_objects.h"

namespace batholith::property {

// Gives pods of a cluster claims and disks, and the cluster the volumes, classes and drivers that
// these ask for: few of each, so that pods want the same. Nodes get labels of a zone. Same seed,
// same volumes.
void AddVolumes(std::uint64_t seed, ClusterObjects& objects);

}  // namespace batholith::property
