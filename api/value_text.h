#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace batholith {

// What is written as text: numbers, booleans, durations and clocks. Nothing where the text is of
// another kind or out of the type's range. Amounts of resources are read by api/quantity.h, times
// by api/time_text.h.

// A number that is the whole text: no white space, no plus. Of the types below.
template <typename Number>
std::optional<Number> ParseNumber(std::string_view text);
extern template std::optional<int> ParseNumber(std::string_view);
extern template std::optional<std::int64_t> ParseNumber(std::string_view);
extern template std::optional<std::uint16_t> ParseNumber(std::string_view);
extern template std::optional<std::uint64_t> ParseNumber(std::string_view);
extern template std::optional<double> ParseNumber(std::string_view);

// Takes the number at the beginning off the text. Nothing, and the text is as it was, where it
// begins with none.
std::optional<std::int64_t> TakeNumber(std::string_view& text);

// Two hexadecimal digits.
std::optional<std::uint8_t> ParseHexByte(std::string_view text);

// As Go's strconv reads them, whose spellings labels and annotations have: a sign and digits; 1, t,
// T, true, True, TRUE and their opposites.
std::optional<std::int64_t> ParseGoInt(std::string_view text);
std::optional<bool> ParseGoBool(std::string_view text);

// true, True, TRUE and their opposites: what YAML 1.2 takes for a boolean.
std::optional<bool> ParseYamlBool(std::string_view text);

// The values that a conf writes: white space around them does not count.

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
