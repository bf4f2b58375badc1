#include "api/value_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <span>
#include <system_error>

#include "api/wide.h"

namespace batholith {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

std::string_view WithoutPlus(std::string_view text) {
  return text.starts_with('+') && !text.starts_with("+-") ? text.substr(1) : text;
}

std::optional<bool> ParseWord(std::string_view text, std::span<const std::string_view> yes,
                              std::span<const std::string_view> no) {
  if (std::ranges::find(yes, text) != yes.end()) return true;
  if (std::ranges::find(no, text) != no.end()) return false;
  return std::nullopt;
}

// "H:MM" or "HH:MM" of a day, as seconds since midnight.
std::optional<std::int64_t> ParseTimeOfDay(std::string_view text) {
  text = Trim(text);
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon > 2 || text.size() != colon + 3)
    return std::nullopt;
  const auto hours = ParseInt(text.substr(0, colon));
  const auto minutes = ParseInt(text.substr(colon + 1));
  if (!hours || !minutes || *hours < 0 || *hours > 23 || *minutes < 0 || *minutes > 59)
    return std::nullopt;
  return (*hours * 60 + *minutes) * 60;
}

// Nanoseconds of a unit of Go's durations; 0: no such unit.
std::int64_t UnitNanoseconds(std::string_view unit) {
  if (unit == "ns") return 1;
  if (unit == "us" || unit == "\u00b5s" || unit == "\u03bcs") return 1'000;
  if (unit == "ms") return 1'000'000;
  if (unit == "s") return 1'000'000'000;
  if (unit == "m") return 60'000'000'000;
  if (unit == "h") return 3'600'000'000'000;
  return 0;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Takes one "1.5h" off the front of `text`.
std::optional<std::int64_t> TakeDurationPart(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && (IsDigit(text[end]) || text[end] == '.')) ++end;
  const std::string_view number = text.substr(0, end);
  text.remove_prefix(end);
  std::size_t unit_end = 0;
  while (unit_end < text.size() && !IsDigit(text[unit_end]) && text[unit_end] != '.') ++unit_end;
  const std::int64_t unit = UnitNanoseconds(text.substr(0, unit_end));
  text.remove_prefix(unit_end);

  const std::size_t point = std::min(number.find('.'), number.size());
  const std::string_view whole_text = number.substr(0, point);
  const std::string_view fraction =
      point < number.size() ? number.substr(point + 1) : std::string_view();
  if (unit == 0 || (whole_text.empty() && fraction.empty()) || fraction.contains('.'))
    return std::nullopt;
  std::int64_t total = 0;
  if (!whole_text.empty()) {
    const auto whole = ParseGoInt(whole_text);
    if (!whole || __builtin_mul_overflow(*whole, unit, &total)) return std::nullopt;
  }
  // What is below a nanosecond is cut off, as Go does.
  Wide rest = 0;
  Wide power = 1;
  for (const char digit : fraction.substr(0, 18)) {
    rest = rest * 10 + (digit - '0');
    power *= 10;
  }
  const auto below_unit = static_cast<std::int64_t>(rest * unit / power);
  if (__builtin_add_overflow(total, below_unit, &total)) return std::nullopt;
  return total;
}

}  // namespace

std::string_view Trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

template <typename Number>
std::optional<Number> ParseNumber(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}
template std::optional<int> ParseNumber(std::string_view);
template std::optional<std::int64_t> ParseNumber(std::string_view);
template std::optional<std::uint16_t> ParseNumber(std::string_view);
template std::optional<std::uint64_t> ParseNumber(std::string_view);
template std::optional<double> ParseNumber(std::string_view);

std::optional<std::int64_t> TakeNumber(std::string_view& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

std::optional<std::uint8_t> ParseHexByte(std::string_view text) {
  std::uint8_t byte = 0;
  const char* const last = text.data() + text.size();
  if (text.size() != 2 || std::from_chars(text.data(), last, byte, 16).ptr != last)
    return std::nullopt;
  return byte;
}

std::optional<std::int64_t> ParseGoInt(std::string_view text) {
  return ParseNumber<std::int64_t>(WithoutPlus(text));
}

std::optional<bool> ParseGoBool(std::string_view text) {
  constexpr std::string_view kYes[] = {"1", "t", "T", "true", "True", "TRUE"};
  constexpr std::string_view kNo[] = {"0", "f", "F", "false", "False", "FALSE"};
  return ParseWord(text, kYes, kNo);
}

std::optional<bool> ParseYamlBool(std::string_view text) {
  constexpr std::string_view kYes[] = {"true", "True", "TRUE"};
  constexpr std::string_view kNo[] = {"false", "False", "FALSE"};
  return ParseWord(text, kYes, kNo);
}

std::optional<std::int64_t> ParseInt(std::string_view text) { return ParseGoInt(Trim(text)); }

std::optional<double> ParseFloat(std::string_view text) {
  const std::optional<double> number = ParseNumber<double>(WithoutPlus(Trim(text)));
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<DayTimes> ParseTimeRange(std::string_view text) {
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const std::optional<std::int64_t> start = ParseTimeOfDay(text.substr(0, dash));
  const std::optional<std::int64_t> end = ParseTimeOfDay(text.substr(dash + 1));
  if (!start || !end) return std::nullopt;
  return DayTimes{*start, *end};
}

std::optional<std::chrono::nanoseconds> ParseGoDuration(std::string_view text) {
  text = Trim(text);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text == "0") return std::chrono::nanoseconds(0);
  if (text.empty()) return std::nullopt;
  std::int64_t total = 0;
  while (!text.empty()) {
    const std::optional<std::int64_t> part = TakeDurationPart(text);
    if (!part || __builtin_add_overflow(total, *part, &total)) return std::nullopt;
  }
  return std::chrono::nanoseconds(negative ? -total : total);
}

std::optional<bool> ParseBool(std::string_view text) {
  std::string lower(Trim(text));
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  constexpr std::string_view kYes[] = {"true", "yes", "on", "t", "y", "1"};
  constexpr std::string_view kNo[] = {"false", "no", "off", "f", "n", "0"};
  return ParseWord(lower, kYes, kNo);
}

std::vector<std::string> SplitList(std::string_view text) {
  std::vector<std::string> words;
  for (bool more = true; more;) {
    const std::size_t comma = text.find(',');
    const std::string_view word = Trim(text.substr(0, comma));
    if (!word.empty()) words.emplace_back(word);
    more = comma != std::string_view::npos;
    if (more) text.remove_prefix(comma + 1);
  }
  return words;
}

}  // namespace batholith
