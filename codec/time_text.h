#pragma once

#include <string>

#include "api/objects.h"

namespace batholith {

// RFC 3339 in UTC, exact: with a fraction of a second only where there is one. ParseTime reads it
// back for the years 1700 to 2250.
std::string FormatTime(TimeNs time);

}  // namespace batholith
