#pragma once

#include <span>

#include "api/device_claims.h"
#include "devices/claim_plan.h"
#include "devices/device_search.h"

namespace batholith {

// What a claim's status says of the devices that were found for it, on the node for which they were
// searched: devices, what their drivers are told, and from where they can be used. `claim`: its
// place in `claims`.
DeviceAllocation AllocationOf(std::span<const DevicePick> picks,
                              std::span<const ClaimPlan* const> claims, std::uint32_t claim,
                              const ResourceClaimRecord& record, const DevicePools& pools,
                              const NodeRecord& node);

}  // namespace batholith
