#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cel/value.h"

namespace batholith::cel {

// Durations are nanoseconds in 64 bits; timestamps are those of the years 1 to 9999. Errors:
// beyond.
Value AddDurations(const Value& a, std::int64_t nanos);
Value SubtractDurations(std::int64_t a, std::int64_t b);
Value AddToTimestamp(const Value& timestamp, const Value& duration);
Value SubtractFromTimestamp(const Value& timestamp, const Value& duration);
Value BetweenTimestamps(const Value& a, const Value& b);

// "1h2m3.5s", "-2ns" → a duration. Nothing: no such text, or beyond its range.
std::optional<std::int64_t> ReadDuration(std::string_view text);
// "3723.5s".
std::string DurationText(std::int64_t nanos);
// RFC 3339 → a timestamp, or nothing.
std::optional<Value> ReadTimestamp(std::string_view text);
std::string TimestampText(const Value& timestamp);
// Seconds since 1970 → a timestamp, or an error.
Value TimestampAt(std::int64_t seconds);

// "", "UTC", "+02:00", "-8:30" → seconds east of UTC. Nothing: a place or no time zone; this build
// knows no places.
std::optional<std::int64_t> ReadZone(std::string_view text);

}  // namespace batholith::cel
