#include "plugins/predicates/options.h"

#include <algorithm>
#include <string>

namespace batholith {
namespace {

using Type = ArgumentSpec::Type;

constexpr std::string_view kAllClaims = "claims for devices are always looked at";
constexpr std::string_view kStepLimit = "the search ends at a count of steps";

constexpr ArgumentSpec kShape[] = {
    {.name = "utilization",
     .type = Type::kInt,
     .default_text = "0",
     .min = 0,
     .max = 100,
     .summary = "in percent"},
    {.name = "score",
     .type = Type::kInt,
     .default_text = "0",
     .min = 0,
     .max = 10,
     .summary = "of a node used so"},
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
    BoolArgument("predicate.DynamicResourceAllocationEnable", "false", "device claims", kAllClaims),
    {.name = "volumebinding.bindTimeoutSeconds",
     .type = Type::kInt,
     .default_text = "600",
     .min = 0,
     .summary = "how long the volumes of a pod are waited for before it is bound; 0: one look"},
    {.name = "volumebinding.weight",
     .type = Type::kInt,
     .default_text = "1",
     .min = 0,
     .max = kMaxWeight,
     .summary = "weight of the volume score"},
    {.name = "volumebinding.shape",
     .type = Type::kMap,
     .summary = "score of a node by how much of its volumes a pod would use; without it none",
     .fields = kShapes},
    {.name = "dynamicresources.filterTimeoutSeconds",
     .type = Type::kInt,
     .default_text = "10",
     .min = 0,
     .summary = "time to match device claims",
     .inert = kStepLimit},
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

constexpr std::int64_t kForEver = 1'000'000'000;  // seconds

// Scores of a conf go to 10, those of a node to 100.
OptionResult<VolumeShape> ReadShape(const Arguments& shape) {
  VolumeShape out;
  for (const std::string& key : shape.Keys()) {
    const Arguments point = shape.Map(key);
    const VolumeShape::Point read{point.Int("utilization"), point.Int("score") * 10};
    if (!out.points.empty() && read.utilization <= out.points.back().utilization)
      return point.Fail("utilization", "volumebinding.shape: utilization " +
                                           std::to_string(read.utilization) +
                                           " must be more than that of the point before");
    out.points.push_back(read);
  }
  return out;
}

}  // namespace

std::span<const ArgumentSpec> PredicatesArguments() { return kArguments; }
std::span<const RetiredArgument> PredicatesRetired() { return kRetired; }

OptionResult<PredicatesOptions> ReadPredicatesOptions(const Arguments& arguments) {
  OptionResult<VolumeShape> shape = ReadShape(arguments.Map("volumebinding.shape"));
  if (!shape) return std::unexpected(std::move(shape.error()));
  return PredicatesOptions{
      .node_affinity = arguments.Bool("predicate.NodeAffinityEnable"),
      .ports = arguments.Bool("predicate.NodePortsEnable"),
      .taints = arguments.Bool("predicate.TaintTolerationEnable"),
      .pod_affinity = arguments.Bool("predicate.PodAffinityEnable"),
      .spread = arguments.Bool("predicate.PodTopologySpreadEnable"),
      .volumes = {.restrictions = arguments.Bool("predicate.VolumeBindingEnable"),
                  .limits = arguments.Bool("predicate.NodeVolumeLimitsEnable"),
                  .binding = arguments.Bool("predicate.VolumeBindingEnable"),
                  .zones = arguments.Bool("predicate.VolumeZoneEnable")},
      .volume_scoring = {std::move(*shape), arguments.Int("volumebinding.weight")},
      .volume_patience = std::chrono::seconds(
          std::min(arguments.Int("volumebinding.bindTimeoutSeconds"), kForEver))};
}

std::chrono::seconds VolumePatienceOf(const Pipeline& pipeline) {
  for (const Pipeline::PluginEntry& plugin : pipeline.plugins) {
    if (plugin.descriptor->name == "predicates")
      return static_cast<const PredicatesOptions*>(plugin.options.get())->volume_patience;
  }
  return PredicatesOptions().volume_patience;
}

}  // namespace batholith
