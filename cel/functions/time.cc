#include "cel/functions/time.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>

#include "api/wide.h"
#include "cel/syntax/number.h"

namespace batholith::cel {
namespace {

constexpr std::int64_t kNanos = 1'000'000'000;
constexpr std::int64_t kFirstSecond = -62135596800;  // 0001-01-01T00:00:00Z
constexpr std::int64_t kLastSecond = 253402300799;   // 9999-12-31T23:59:59Z

Value DurationOverflow() { return Value::Fail(Failure::kOverflow, "duration overflow"); }
Value TimestampOverflow() { return Value::Fail(Failure::kOverflow, "timestamp overflow"); }

Value ShiftedTimestamp(const Value& timestamp, Wide nanos) {
  const Wide sum = Wide{timestamp.seconds()} * kNanos + timestamp.nanos() + nanos;
  Wide seconds = sum / kNanos;
  Wide rest = sum % kNanos;
  if (rest < 0) {
    rest += kNanos;
    --seconds;
  }
  if (seconds < kFirstSecond || seconds > kLastSecond) return TimestampOverflow();
  return Value::Timestamp(static_cast<std::int64_t>(seconds), static_cast<std::int32_t>(rest));
}

struct Unit {
  std::string_view name;
  std::int64_t nanos;
};
// Of two that start alike, the longer one is first.
constexpr std::array<Unit, 8> kUnits{{{"ns", 1},
                                      {"us", 1000},
                                      {"\xC2\xB5s", 1000},
                                      {"\xCE\xBCs", 1000},
                                      {"ms", 1'000'000},
                                      {"s", kNanos},
                                      {"m", 60 * kNanos},
                                      {"h", 3600 * kNanos}}};

// DigitsAt at the front of a text, which loses them. Nothing: more than any duration has.
std::optional<std::uint64_t> TakeWhole(std::string_view& text) {
  std::uint64_t out = 0;
  while (!text.empty() && text[0] >= '0' && text[0] <= '9') {
    if (out > (std::uint64_t{1} << 63U) / 10) return std::nullopt;
    out = out * 10 + static_cast<std::uint64_t>(text[0] - '0');
    if (out > std::uint64_t{1} << 63U) return std::nullopt;
    text.remove_prefix(1);
  }
  return out;
}

// One number with its unit: "1.5h".
std::optional<Wide> TakePart(std::string_view& text) {
  const std::string_view before = text;
  const auto whole = TakeWhole(text);
  if (!whole) return std::nullopt;
  bool digits = text.size() != before.size();
  std::string_view fraction;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    const auto end = std::min(text.find_first_not_of("0123456789"), text.size());
    fraction = text.substr(0, end);
    digits = digits || !fraction.empty();
    text.remove_prefix(end);
  }
  if (!digits) return std::nullopt;
  for (const Unit& unit : kUnits) {
    if (!text.starts_with(unit.name)) continue;
    text.remove_prefix(unit.name.size());
    Wide nanos = Wide{*whole} * unit.nanos;
    double scale = static_cast<double>(unit.nanos);
    Wide digits_value = 0;
    for (std::size_t d = 0; d < fraction.size() && d < 18; ++d) {
      digits_value = digits_value * 10 + (fraction[d] - '0');
      scale /= 10;
    }
    return nanos + static_cast<Wide>(static_cast<double>(digits_value) * scale);
  }
  return std::nullopt;
}

std::optional<int> DigitsAt(std::string_view text, std::size_t at, std::size_t count) {
  if (at + count > text.size()) return std::nullopt;
  int out = 0;
  for (const char c : text.substr(at, count)) {
    if (c < '0' || c > '9') return std::nullopt;
    out = out * 10 + (c - '0');
  }
  return out;
}

}  // namespace

Value AddDurations(const Value& a, std::int64_t nanos) {
  std::int64_t out = 0;
  if (__builtin_add_overflow(a.as_int(), nanos, &out)) return DurationOverflow();
  return Value::Duration(out);
}

Value SubtractDurations(std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  if (__builtin_sub_overflow(a, b, &out)) return DurationOverflow();
  return Value::Duration(out);
}

Value AddToTimestamp(const Value& timestamp, const Value& duration) {
  return ShiftedTimestamp(timestamp, duration.as_int());
}

Value SubtractFromTimestamp(const Value& timestamp, const Value& duration) {
  return ShiftedTimestamp(timestamp, -Wide{duration.as_int()});
}

Value BetweenTimestamps(const Value& a, const Value& b) {
  const Wide nanos = (Wide{a.seconds()} - b.seconds()) * kNanos + (Wide{a.nanos()} - b.nanos());
  if (nanos < INT64_MIN || nanos > INT64_MAX) return DurationOverflow();
  return Value::Duration(static_cast<std::int64_t>(nanos));
}

std::optional<std::int64_t> ReadDuration(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text == "0") return 0;
  if (text.empty()) return std::nullopt;
  Wide sum = 0;
  while (!text.empty()) {
    const auto part = TakePart(text);
    if (!part) return std::nullopt;
    sum += *part;
    if (sum > Wide{1} << 63) return std::nullopt;
  }
  if (negative) return static_cast<std::int64_t>(-sum);
  if (sum > INT64_MAX) return std::nullopt;
  return static_cast<std::int64_t>(sum);
}

std::string DurationText(std::int64_t nanos) {
  const double seconds =
      static_cast<double>(nanos / kNanos) + static_cast<double>(nanos % kNanos) / 1e9;
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), seconds,
                                 std::chars_format::fixed);
  return std::string(buffer.data(), end.ptr) + "s";
}

std::optional<Value> ReadTimestamp(std::string_view written) {
  // Go reads an hour of one digit, too.
  std::string padded;
  if (written.size() > 12 && written[12] == ':')
    padded = std::string(written.substr(0, 11)) + "0" + std::string(written.substr(11));
  const std::string_view text = padded.empty() ? written : padded;
  const auto year = DigitsAt(text, 0, 4);
  const auto month = DigitsAt(text, 5, 2);
  const auto day = DigitsAt(text, 8, 2);
  const auto hour = DigitsAt(text, 11, 2);
  const auto minute = DigitsAt(text, 14, 2);
  const auto second = DigitsAt(text, 17, 2);
  if (!year || !month || !day || !hour || !minute || !second) return std::nullopt;
  if (text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' || text[16] != ':')
    return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok() || *hour > 23 || *minute > 59 || *second > 59) return std::nullopt;
  std::string_view rest = text.substr(19);
  std::int32_t nanos = 0;
  if (rest.starts_with('.') || rest.starts_with(',')) {
    const auto end = std::min(rest.find_first_not_of("0123456789", 1), rest.size());
    if (end == 1) return std::nullopt;
    std::int32_t unit = 100'000'000;
    for (std::size_t d = 1; d < end && d < 10; ++d, unit /= 10) nanos += (rest[d] - '0') * unit;
    rest.remove_prefix(end);
  }
  std::int64_t east = 0;
  if (rest != "Z") {
    const auto hours = DigitsAt(rest, 1, 2);
    const auto minutes = DigitsAt(rest, 4, 2);
    if (rest.size() != 6 || (rest[0] != '+' && rest[0] != '-') || rest[3] != ':' || !hours ||
        !minutes || *hours > 24 || *minutes > 60)
      return std::nullopt;
    east = (rest[0] == '-' ? -1 : 1) * (std::int64_t{*hours} * 3600 + std::int64_t{*minutes} * 60);
  }
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  const std::int64_t seconds =
      days * 86400 + std::int64_t{*hour} * 3600 + std::int64_t{*minute} * 60 + *second - east;
  if (seconds < kFirstSecond || seconds > kLastSecond) return TimestampOverflow();
  return Value::Timestamp(seconds, nanos);
}

std::string TimestampText(const Value& timestamp) {
  const std::chrono::sys_seconds at{std::chrono::seconds(timestamp.seconds())};
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(at - day);
  std::string out =
      fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  time.hours().count(), time.minutes().count(), time.seconds().count());
  if (timestamp.nanos() != 0) {
    out += fmt::format(".{:09}", timestamp.nanos());
    out.erase(out.find_last_not_of('0') + 1);
  }
  return out + "Z";
}

Value TimestampAt(std::int64_t seconds) {
  if (seconds < kFirstSecond || seconds > kLastSecond) return TimestampOverflow();
  return Value::Timestamp(seconds, 0);
}

std::optional<std::int64_t> ReadZone(std::string_view text) {
  if (text.empty() || text == "UTC") return 0;
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto number = [](std::string_view digits) -> std::optional<std::int64_t> {
    if (digits.starts_with('+')) digits.remove_prefix(1);
    return ReadInt(digits);
  };
  const auto hours = number(text.substr(0, colon));
  const auto minutes = number(text.substr(colon + 1));
  // Far more than any zone has, and far from an overflow.
  constexpr std::int64_t kMost = 10'000;
  const auto fits = [](std::int64_t part) { return part >= -kMost && part <= kMost; };
  if (!hours || !minutes || !fits(*hours) || !fits(*minutes)) return std::nullopt;
  return (*hours * 60 + (text[0] == '-' ? -*minutes : *minutes)) * 60;
}

}  // namespace batholith::cel
