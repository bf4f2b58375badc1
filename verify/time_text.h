#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/objects.h"

namespace batholith {

// "2026-01-01T00:00:00Z", with a fraction or an offset ("+01:00") where there is one. None: no time.
std::optional<TimeNs> ParseTime(std::string_view text);

// Whole seconds, in UTC.
std::string FormatTime(TimeNs time);

}  // namespace batholith
