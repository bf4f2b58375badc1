#pragma once

#include <optional>
#include <vector>

#include "api/device_claims.h"

namespace batholith {

// How much of the capacity an allocation takes that asks for `asked` of it: rounded up to what the
// policy allows; asking for nothing takes the policy's default, without one all of it. Absent: the
// policy has no such amount. (KEP-5075.)
std::optional<DeviceAmount> ConsumedOf(const DeviceCapacity& capacity,
                                       std::optional<DeviceAmount> asked);

// Of each capacity of the device, in their order. Absent: it never has what is asked. A device that
// is not shared is taken whole, and has to have at least as much.
std::optional<std::vector<DeviceAmount>> ConsumedOf(const Device& device, std::string_view driver,
                                                    const DeviceAmounts& asked);

}  // namespace batholith
