#include "verify/time_text.h"

#include <fmt/format.h>

#include <chrono>

namespace batholith {
namespace {

constexpr TimeNs kSecond = 1'000'000'000;

}  // namespace

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
