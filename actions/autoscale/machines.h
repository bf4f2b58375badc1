#pragma once

#include "api/autoscale_report.h"
#include "api/snapshot.h"

namespace batholith {

// Says which Machines the removals of the order are, and which of the group's are still marked
// though their node stays: neither in the order nor in `memory`. Cost: O(machines).
void NameMachines(const ClusterObjects& objects, const AutoscaleMemory& memory,
                  NodeGroupOrder& order);

}  // namespace batholith
