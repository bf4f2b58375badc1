#pragma once

#include <string>

#include "api/objects.h"

namespace batholith {

// Whole seconds, in UTC.
std::string FormatTime(TimeNs time);

}  // namespace batholith
