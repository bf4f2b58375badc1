#include "codec/time_text.h"

#include <fmt/compile.h>

#include <chrono>

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

}  // namespace batholith
