#include "api/time_text.h"

#include <fmt/compile.h>

#include <algorithm>
#include <chrono>
#include <ctime>

namespace batholith {

std::string FormatTime(TimeNs time) {
  const std::chrono::sys_time<std::chrono::nanoseconds> instant{std::chrono::nanoseconds(time)};
  const auto seconds = std::chrono::floor<std::chrono::seconds>(instant);
  const auto days = std::chrono::floor<std::chrono::days>(seconds);
  const std::chrono::year_month_day date(days);
  const std::chrono::hh_mm_ss clock(seconds - days);
  const TimeNs rest = (instant - seconds).count();
  std::string fraction = rest == 0 ? "" : fmt::format(".{:09}", rest);
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return fmt::format(FMT_COMPILE("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}Z"),
                     static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count(), fraction);
}

namespace {

// The digits of `text` from `at` on, exactly `n` of them; -1 where there are none.
int Digits(std::string_view text, std::size_t at, std::size_t n) {
  if (at + n > text.size()) return -1;
  int value = 0;
  for (const char c : text.substr(at, n)) {
    if (c < '0' || c > '9') return -1;
    value = value * 10 + (c - '0');
  }
  return value;
}

constexpr int kFirstYear = 1700;
constexpr int kLastYear = 2250;

constexpr std::int64_t StartOfYear(int year) {
  const auto day = std::chrono::year(year) / std::chrono::January / 1;
  return std::chrono::seconds(std::chrono::sys_days(day).time_since_epoch()).count();
}

// "2026-01-01T00:00:00" → seconds since the epoch. Years whose nanoseconds fit into 64 bits.
std::optional<std::int64_t> ParseDateTime(std::string_view text) {
  if (text.size() != 19 || text[4] != '-' || text[7] != '-' || text[13] != ':' || text[16] != ':' ||
      (text[10] != 'T' && text[10] != 't'))
    return std::nullopt;
  const int year = Digits(text, 0, 4);
  const int month = Digits(text, 5, 2);
  const int day = Digits(text, 8, 2);
  const int hour = Digits(text, 11, 2);
  const int minute = Digits(text, 14, 2);
  const int second = Digits(text, 17, 2);
  if (year < kFirstYear || year > kLastYear || month < 1 || month > 12 || day < 1)
    return std::nullopt;
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60)
    return std::nullopt;
  std::tm tm{};
  tm.tm_year = year - 1900;
  tm.tm_mon = month - 1;
  tm.tm_mday = day;
  tm.tm_hour = hour;
  tm.tm_min = minute;
  tm.tm_sec = second;
  const std::int64_t seconds = timegm(&tm);
  // A day that the month does not have was moved on to the next month.
  if (tm.tm_mon != month - 1 && second != 60) return std::nullopt;
  return seconds;
}

// "Z", "+02:00" → seconds.
std::optional<std::int64_t> ParseOffset(std::string_view text) {
  if (text == "Z" || text == "z") return 0;
  if (text.size() != 6 || (text[0] != '+' && text[0] != '-') || text[3] != ':') return std::nullopt;
  const int hours = Digits(text, 1, 2);
  const int minutes = Digits(text, 4, 2);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return std::nullopt;
  const std::int64_t seconds = hours * 3600LL + minutes * 60LL;
  return text[0] == '-' ? -seconds : seconds;
}

}  // namespace

std::optional<TimeNs> ParseTime(std::string_view text) {
  const std::optional<std::int64_t> seconds = ParseDateTime(text.substr(0, 19));
  if (!seconds) return std::nullopt;
  std::size_t at = 19;
  TimeNs fraction = 0;
  if (text.substr(at).starts_with('.')) {
    TimeNs unit = 100'000'000;
    for (++at; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at, unit /= 10)
      fraction += (text[at] - '0') * unit;
  }
  const std::optional<std::int64_t> offset = ParseOffset(text.substr(at));
  if (!offset) return std::nullopt;
  // An offset or a leap second can move it into a year that would not be read when written in UTC.
  const std::int64_t instant = *seconds - *offset;
  if (instant < StartOfYear(kFirstYear) || instant >= StartOfYear(kLastYear + 1))
    return std::nullopt;
  return instant * 1'000'000'000 + fraction;
}

// The year alone is cut off, so that the rest is judged as that of any time. An offset can move the
// instant beyond the ends once more; what is read must come back when it is written in UTC.
std::optional<TimeNs> ParseTimeCutOff(std::string_view text) {
  constexpr int kFirst = 1900;
  constexpr int kLast = 2190;
  std::string near(text);
  const int year = Digits(text, 0, 4);
  if (year >= 0 && (year < kFirst || year >= kLast)) near.replace(0, 4, "2000");
  const std::optional<TimeNs> time = ParseTime(near);
  if (!time) return std::nullopt;
  constexpr TimeNs kEarliest = StartOfYear(kFirst) * 1'000'000'000;
  constexpr TimeNs kLatest = StartOfYear(kLast) * 1'000'000'000;
  if (near != text) return year < kFirst ? kEarliest : kLatest;
  return std::clamp(*time, kEarliest, kLatest);
}

}  // namespace batholith
