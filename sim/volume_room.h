#pragma once

#include <cstdint>
#include <string>

#include "api/cluster_objects.h"

// What the driver of a simulated cluster tells of its room as volumes come and go.
namespace batholith {

// Takes a claim's room from the first capacity of its class, in order of names, that has it and is
// the node's. nullptr: nobody counts it.
CsiStorageCapacityRecord* TakeRoom(const PersistentVolumeClaimRecord& claim, const NodeRecord& node,
                                   ClusterObjects& objects);
// To the capacity of this key.
void GiveRoomBack(const std::string& capacity, std::int64_t bytes, ClusterObjects& objects);

}  // namespace batholith
