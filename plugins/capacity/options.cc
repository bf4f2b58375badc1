#include "plugins/capacity/options.h"

namespace batholith {
namespace {

constexpr std::string_view kNoClaims = "queues do not count devices yet";

constexpr ArgumentSpec kArguments[] = {
    {.name = "ancestorReclaimLevel",
     .type = ArgumentSpec::Type::kInt,
     .default_text = "0",
     .min = 0,
     .max = 1000,
     .summary = "ancestors that have a say when a queue reclaims",
     .below_min_is_default = true},
    BoolArgument("capacity.DynamicResourceAllocationEnable", "false",
                 "device claims count in queues", kNoClaims),
    BoolArgument("capacity.DRAConsumableCapacityEnable", "false",
                 "and what they consume of a device", kNoClaims),
};

}  // namespace

std::span<const ArgumentSpec> CapacityArguments() { return kArguments; }

CapacityOptions ReadCapacityOptions(const Arguments& arguments) {
  return {static_cast<std::size_t>(arguments.Int("ancestorReclaimLevel"))};
}

}  // namespace batholith
