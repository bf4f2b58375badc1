#include "plugins/tdm/options.h"

#include <utility>

#include "api/value_text.h"

namespace batholith {
namespace {

constexpr std::string_view kZonePrefix = "tdm.revocable-zone.";

constexpr ArgumentSpec kArguments[] = {
    {.name = kZonePrefix,
     .type = ArgumentSpec::Type::kTimeRange,
     .summary = "when the zone is ours",
     .name_is_prefix = true},
    {.name = "tdm.evict.period",
     .type = ArgumentSpec::Type::kDuration,
     .default_text = "1m",
     .min = 0,
     .summary = "least time between two evictions",
     .inert = "action shuffle evicts in each session while a zone is closed"},
};

}  // namespace

std::span<const ArgumentSpec> TdmArguments() { return kArguments; }

TdmOptions ReadTdmOptions(const Arguments& arguments) {
  TdmOptions out;
  for (auto& [name, hours] : arguments.WithPrefix(kZonePrefix)) {
    const std::optional<DayTimes> times = ParseTimeRange(hours);
    CHECK(times.has_value());
    out.zones.push_back({std::move(name), std::move(hours), times->start, times->end});
  }
  return out;
}

}  // namespace batholith
