#pragma once

#include <cstdint>
#include <string>

#include "api/cluster_objects.h"

namespace batholith::property {

// Adds one object, of a kind that the seed draws, that means harm and that is owed nothing. Returns
// what it is, for messages. All of it is in namespace "evil", which the cluster does not have, or
// is of the kinds without a namespace and has a name that begins with "evil".
//
// Owed nothing means: it is no node; it is no pod on a node that exists, unless it has finished; a
// pod of ours asks for something that nobody has; a queue is guaranteed nothing, has no jobs, and
// is nobody's parent but its own; a group either asks in its minimum for more than there is, or has
// no pods; a quota guarantees nothing that exists and claims its own namespace only; and the lists
// of queues, quotas and templates name no more than can be counted, and of real resources those
// that are counted anyhow. What lies beyond may rightly change decisions, or the reasons told: a
// pod that fits competes, a guarantee is kept from others, a name that is listed is counted.
std::string AddHostileObject(std::uint64_t seed, ClusterObjects& objects);

}  // namespace batholith::property
