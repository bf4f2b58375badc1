#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace batholith {

// The values that a conf writes as text. White space around them does not count; nothing where the
// text is of another kind or out of the type's range.

std::optional<std::int64_t> ParseInt(std::string_view text);

// Finite numbers only.
std::optional<double> ParseFloat(std::string_view text);

// The spellings of YAML 1.1 and of Go's strconv: true, yes, on, t, 1 and their opposites, in any
// case.
std::optional<bool> ParseBool(std::string_view text);

// A Go duration: "1h30m", "-1.5s", "0". What is below a nanosecond is cut off, as Go does.
std::optional<std::chrono::nanoseconds> ParseGoDuration(std::string_view text);

// A part of each day, in seconds since midnight; a start behind the end means over midnight.
struct DayTimes {
  std::int64_t start = 0;
  std::int64_t end = 0;
};

// "22:00-06:00"
std::optional<DayTimes> ParseTimeRange(std::string_view text);

std::string_view Trim(std::string_view text);

// The words of a comma-separated list, trimmed, empty ones left out.
std::vector<std::string> SplitList(std::string_view text);

}  // namespace batholith
