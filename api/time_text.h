#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/objects.h"

namespace batholith {

// RFC 3339 in UTC, exact: with a fraction of a second only where there is one. ParseTime reads it
// back for the years 1700 to 2250.
std::string FormatTime(TimeNs time);

// "2026-01-01T00:00:00Z", fractions and offsets too → nanoseconds since the epoch.
std::optional<TimeNs> ParseTime(std::string_view text);
// The same; a time before 1900 or after 2190 is cut off there, so that any two differ by less than
// 64 bits hold: API servers take the years 0 to 9999.
std::optional<TimeNs> ParseTimeCutOff(std::string_view text);

}  // namespace batholith
