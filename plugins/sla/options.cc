#include "plugins/sla/options.h"

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

}  // namespace batholith
