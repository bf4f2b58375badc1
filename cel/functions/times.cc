#include <array>
#include <chrono>
#include <cstdint>
#include <string>

#include "cel/functions/library.h"
#include "cel/functions/time.h"
#include "cel/functions/values.h"

namespace batholith::cel {
namespace {

using Kind = Value::Kind;

enum class Part : std::uint8_t {
  kYear,
  kMonth,
  kDayOfYear,
  kDayOfMonth,
  kDate,
  kDayOfWeek,
  kHours,
  kMinutes,
  kSeconds,
  kMilliseconds,
};

std::int64_t PartOf(Part part, std::int64_t seconds, std::int32_t nanos) {
  const std::chrono::sys_seconds at{std::chrono::seconds(seconds)};
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(at - day);
  switch (part) {
    case Part::kYear:
      return static_cast<int>(date.year());
    case Part::kMonth:
      return static_cast<unsigned>(date.month()) - 1;
    case Part::kDayOfYear:
      return (day - std::chrono::sys_days(date.year() / 1 / 1)).count();
    case Part::kDayOfMonth:
      return static_cast<unsigned>(date.day()) - 1;
    case Part::kDate:
      return static_cast<unsigned>(date.day());
    case Part::kDayOfWeek:
      return std::chrono::weekday(day).c_encoding();
    case Part::kHours:
      return time.hours().count();
    case Part::kMinutes:
      return time.minutes().count();
    case Part::kSeconds:
      return time.seconds().count();
    case Part::kMilliseconds:
      return nanos / 1'000'000;
  }
  return 0;
}

template <Part Which>
Value OfTimestamp(Arguments a, Work&) {
  std::int64_t east = 0;
  if (a.size() == 2) {
    const auto zone = ReadZone(a[1].text());
    if (!zone)
      return Value::Fail(Failure::kInvalidArgument,
                         "time zones by name are not supported by this build: " + Shown(a[1]));
    east = *zone;
  }
  return Value::Int(PartOf(Which, a[0].seconds() + east, a[0].nanos()));
}

template <std::int64_t Nanos>
Value OfDuration(Arguments a, Work&) {
  return Value::Int(a[0].as_int() / Nanos);
}

constexpr Overload At(std::string_view name, Implementation run) {
  return {name, "timestamp", "int", run, {}, true};
}
constexpr Overload InZone(std::string_view name, Implementation run) {
  return {name, "timestamp, string", "int", run, {}, true};
}
constexpr Overload For(std::string_view name, Implementation run) {
  return {name, "duration", "int", run, {}, true};
}

constexpr std::array kTimes{
    At("getFullYear", OfTimestamp<Part::kYear>),
    InZone("getFullYear", OfTimestamp<Part::kYear>),
    At("getMonth", OfTimestamp<Part::kMonth>),
    InZone("getMonth", OfTimestamp<Part::kMonth>),
    At("getDayOfYear", OfTimestamp<Part::kDayOfYear>),
    InZone("getDayOfYear", OfTimestamp<Part::kDayOfYear>),
    At("getDayOfMonth", OfTimestamp<Part::kDayOfMonth>),
    InZone("getDayOfMonth", OfTimestamp<Part::kDayOfMonth>),
    At("getDate", OfTimestamp<Part::kDate>),
    InZone("getDate", OfTimestamp<Part::kDate>),
    At("getDayOfWeek", OfTimestamp<Part::kDayOfWeek>),
    InZone("getDayOfWeek", OfTimestamp<Part::kDayOfWeek>),
    At("getHours", OfTimestamp<Part::kHours>),
    InZone("getHours", OfTimestamp<Part::kHours>),
    For("getHours", OfDuration<3'600'000'000'000>),
    At("getMinutes", OfTimestamp<Part::kMinutes>),
    InZone("getMinutes", OfTimestamp<Part::kMinutes>),
    For("getMinutes", OfDuration<60'000'000'000>),
    At("getSeconds", OfTimestamp<Part::kSeconds>),
    InZone("getSeconds", OfTimestamp<Part::kSeconds>),
    For("getSeconds", OfDuration<1'000'000'000>),
    At("getMilliseconds", OfTimestamp<Part::kMilliseconds>),
    InZone("getMilliseconds", OfTimestamp<Part::kMilliseconds>),
    For("getMilliseconds", OfDuration<1'000'000>),
};

}  // namespace

std::span<const Overload> TimeFunctions() { return kTimes; }

}  // namespace batholith::cel
