#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "api/cluster_objects.h"

namespace batholith::property {

// Turns some groups into PodGroups of scheduling.k8s.io, most of which fall whole; some are put
// below composite groups, of which half fall whole.
void MakeGroupsWhole(ClusterObjects& objects, std::uint64_t seed);

// Pods that fall together, by keys, whatever their state; from the objects alone.
std::map<std::string, std::vector<const PodRecord*>> WholeGroupsOf(const ClusterObjects& objects);

}  // namespace batholith::property
