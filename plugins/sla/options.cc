#include "plugins/sla/options.h"

#include "api/value_text.h"

namespace batholith {
namespace {

constexpr ArgumentSpec kArguments[] = {
    {.name = "sla-waiting-time",
     .type = ArgumentSpec::Type::kDuration,
     .min = 1e-9,
     .summary = "after waiting this long a job goes first",
     .below_min_is_default = true,
     .number_is_ignored = true},
};

}  // namespace

std::span<const ArgumentSpec> SlaArguments() { return kArguments; }

SlaOptions ReadSlaOptions(const Arguments& arguments) {
  return {arguments.Duration("sla-waiting-time")};
}

std::optional<std::chrono::nanoseconds> WaitingTimeOf(const Labels& annotations,
                                                      const SlaOptions& options) {
  for (const std::string_view key : {"volcano.sh/sla-waiting-time", "sla-waiting-time"}) {
    const auto it = annotations.find(key);
    if (it == annotations.end()) continue;
    const std::optional<std::chrono::nanoseconds> wait = ParseGoDuration(it->second);
    if (wait && wait->count() > 0) return wait;
  }
  return options.waiting_time;
}

}  // namespace batholith
