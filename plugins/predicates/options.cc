#include "plugins/predicates/options.h"

namespace batholith {
namespace {

using Type = ArgumentSpec::Type;

constexpr std::string_view kNoBindWait = "they are waited for ten minutes";
constexpr std::string_view kNoVolumeScores = "this build does not score volumes yet";
constexpr std::string_view kNoClaims = "this build does not check device claims yet";

constexpr ArgumentSpec kShape[] = {
    {.name = "utilization", .type = Type::kInt, .min = 0, .max = 100, .summary = "in percent"},
    {.name = "score", .type = Type::kInt, .min = 0, .max = 10, .summary = "of a node used so"},
};
constexpr ArgumentSpec kShapes[] = {
    {.name = "*", .type = Type::kMap, .summary = "one point of the curve", .fields = kShape},
};

constexpr ArgumentSpec kArguments[] = {
    BoolArgument("predicate.NodeAffinityEnable", "true", "node selector and node affinity"),
    BoolArgument("predicate.NodePortsEnable", "true", "host ports"),
    BoolArgument("predicate.TaintTolerationEnable", "true", "taints"),
    BoolArgument("predicate.PodAffinityEnable", "true", "pod affinity and anti-affinity"),
    BoolArgument("predicate.PodTopologySpreadEnable", "true", "topology spread"),
    BoolArgument("predicate.NodeVolumeLimitsEnable", "true", "volumes a node can attach"),
    BoolArgument("predicate.VolumeZoneEnable", "true", "zones of volumes"),
    BoolArgument("predicate.VolumeBindingEnable", "true", "claims, and disks of one pod at a time"),
    BoolArgument("predicate.DynamicResourceAllocationEnable", "false", "device claims", kNoClaims),
    {.name = "volumebinding.bindTimeoutSeconds",
     .type = Type::kInt,
     .default_text = "600",
     .min = 0,
     .summary = "time to bind volumes",
     .inert = kNoBindWait},
    {.name = "volumebinding.weight",
     .type = Type::kInt,
     .default_text = "1",
     .min = 0,
     .max = kMaxWeight,
     .summary = "weight of the volume score",
     .inert = kNoVolumeScores},
    {.name = "volumebinding.shape",
     .type = Type::kMap,
     .summary = "volume utilisation to score",
     .inert = kNoVolumeScores,
     .fields = kShapes},
    {.name = "dynamicresources.filterTimeoutSeconds",
     .type = Type::kInt,
     .default_text = "10",
     .min = 0,
     .summary = "time to match device claims",
     .inert = kNoClaims},
};

constexpr std::string_view kToDeviceShare = "it moved to the plugin deviceshare";
constexpr std::string_view kToFit =
    "it moved to the plugin resource-strategy-fit (argument proportional)";
constexpr std::string_view kPressure = "node pressure is a taint now";

constexpr RetiredArgument kRetired[] = {
    {"predicate.GPUSharingEnable", kToDeviceShare},
    {"predicate.GPUNumberEnable", kToDeviceShare},
    {"predicate.CacheEnable", "pods of one class are judged once, whatever it says"},
    {"predicate.ProportionalEnable", kToFit},
    {"predicate.resources", kToFit},
    {"predicate.resources.", kToFit},
    {"predicate.MemoryPressureEnable", kPressure},
    {"predicate.DiskPressureEnable", kPressure},
    {"predicate.PIDPressureEnable", kPressure},
};

}  // namespace

std::span<const ArgumentSpec> PredicatesArguments() { return kArguments; }
std::span<const RetiredArgument> PredicatesRetired() { return kRetired; }

PredicatesOptions ReadPredicatesOptions(const Arguments& arguments) {
  return {.node_affinity = arguments.Bool("predicate.NodeAffinityEnable"),
          .ports = arguments.Bool("predicate.NodePortsEnable"),
          .taints = arguments.Bool("predicate.TaintTolerationEnable"),
          .pod_affinity = arguments.Bool("predicate.PodAffinityEnable"),
          .spread = arguments.Bool("predicate.PodTopologySpreadEnable"),
          .volumes = {.restrictions = arguments.Bool("predicate.VolumeBindingEnable"),
                      .limits = arguments.Bool("predicate.NodeVolumeLimitsEnable"),
                      .binding = arguments.Bool("predicate.VolumeBindingEnable"),
                      .zones = arguments.Bool("predicate.VolumeZoneEnable")}};
}

}  // namespace batholith
