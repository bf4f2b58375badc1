#pragma once

#include <string>

#include "api/device_claims.h"

namespace batholith {

// Equal for claims for which the same devices are found: all of the spec but what drivers are told.
std::string SignatureOf(const DeviceClaimSpec& spec);

}  // namespace batholith
