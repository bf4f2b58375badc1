#pragma once

#include <string>
#include <string_view>

#include "api/result.h"
#include "api/wide.h"

namespace batholith {

// An amount of a device's capacity or of a counter, in units of 10^-9: exact for every quantity
// that Kubernetes keeps. Sums of ten thousand million of them do not overflow.
using DeviceAmount = Wide;

inline constexpr DeviceAmount kOneUnit = 1'000'000'000;

// Kubernetes quantity text → amount, rounded away from zero at 10^-9; beyond 2^63 - 1 units it is
// cut off, as the API server does. Errors: no quantity.
Result<DeviceAmount> ParseDeviceAmount(std::string_view text);

// The shortest text that reads back as the same amount: "4Gi", "8", "500m", "1500n".
std::string DeviceAmountText(DeviceAmount amount);

}  // namespace batholith
