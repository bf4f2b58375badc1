#include "verify/time_text.h"

#include <charconv>
#include <chrono>
#include <cstdint>

#include <fmt/format.h>

namespace batholith {
namespace {

constexpr TimeNs kSecond = 1'000'000'000;

// Takes `digits` digits and then `after` (0: nothing) off the text.
std::optional<std::int64_t> Take(std::string_view& text, std::size_t digits, char after) {
  const std::size_t length = digits + (after == 0 ? 0 : 1);
  if (text.size() < length || (after != 0 && text[digits] != after)) return std::nullopt;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + digits, value);
  if (error != std::errc() || end != text.data() + digits || value < 0) return std::nullopt;
  text.remove_prefix(length);
  return value;
}

TimeNs TakeFraction(std::string_view& text) {
  TimeNs out = 0;
  if (!text.starts_with('.')) return out;
  text.remove_prefix(1);
  for (TimeNs unit = kSecond / 10; !text.empty() && text[0] >= '0' && text[0] <= '9'; unit /= 10) {
    out += unit * (text[0] - '0');
    text.remove_prefix(1);
  }
  return out;
}

std::optional<TimeNs> TakeOffset(std::string_view text) {
  if (text == "Z" || text == "z") return 0;
  if (text.empty() || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  const TimeNs sign = text[0] == '+' ? 1 : -1;
  text.remove_prefix(1);
  const auto hours = Take(text, 2, ':');
  const auto minutes = hours ? Take(text, 2, 0) : std::nullopt;
  if (!minutes || !text.empty()) return std::nullopt;
  return sign * (*hours * 3600 + *minutes * 60) * kSecond;
}

}  // namespace

std::optional<TimeNs> ParseTime(std::string_view text) {
  const auto year = Take(text, 4, '-');
  const auto month = year ? Take(text, 2, '-') : std::nullopt;
  const auto day = month ? Take(text, 2, 'T') : std::nullopt;
  const auto hour = day ? Take(text, 2, ':') : std::nullopt;
  const auto minute = hour ? Take(text, 2, ':') : std::nullopt;
  const auto second = minute ? Take(text, 2, 0) : std::nullopt;
  if (!second || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok() || *year < 1970 || *year > 2200) return std::nullopt;
  const TimeNs fraction = TakeFraction(text);
  const auto offset = TakeOffset(text);
  if (!offset) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return (days * 86400 + *hour * 3600 + *minute * 60 + *second) * kSecond + fraction - *offset;
}

std::string FormatTime(TimeNs time) {
  const std::chrono::sys_seconds seconds{std::chrono::seconds(time / kSecond)};
  const auto days = std::chrono::floor<std::chrono::days>(seconds);
  const std::chrono::year_month_day date(days);
  const std::chrono::hh_mm_ss clock(seconds - days);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

}  // namespace batholith
