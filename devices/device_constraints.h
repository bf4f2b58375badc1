#pragma once

#include <string>
#include <string_view>

#include "api/device_claims.h"

namespace batholith {

// The attribute of the device with this full name; nullptr: it has none, or none of a type that is
// known.
const DeviceAttribute* AttributeOf(const Device& device, std::string_view driver,
                                   std::string_view name);

// Whether the constraint concerns what the request's ask gets.
bool Concerns(const DeviceConstraint& constraint, const DeviceRequest& request,
              const DeviceAsk& ask);

// Whether all taints of the device that keep claims away are tolerated.
bool Tolerates(const std::vector<DeviceToleration>& tolerations, const Device& device);

}  // namespace batholith
