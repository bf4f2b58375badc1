#pragma once

#include <boost/json/object.hpp>

#include "api/device_claims.h"
#include "api/pod_device_claims.h"
#include "codec/json/field.h"

namespace batholith {

// spec.resourceClaims and status.resourceClaimStatuses of a pod. Cost: O(claims × statuses), both
// at most 32 on an API server.
PodDeviceClaims ReadPodDeviceClaims(const Field& spec, const Field& status);
void PutPodDeviceClaims(const PodDeviceClaims& claims, boost::json::object& spec,
                        boost::json::object& status);

// As a claim's status has it.
boost::json::object AllocationObject(const DeviceAllocation& allocation);

}  // namespace batholith
