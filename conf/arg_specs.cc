#include "conf/arg_specs.h"

#include <algorithm>

#include "conf/autoscale_args.h"
#include "conf/quota_arg_specs.h"
#include "conf/slack_args.h"

namespace batholith {
namespace {

using Type = ArgSpec::Type;

// Weights multiply scores of 0 to 100; beyond this the sum of all could leave 64 bits.
constexpr double kMaxWeight = 1e9;

constexpr std::string_view kNoVolumes = "this build does not check volumes yet";
constexpr std::string_view kNoClaims = "this build does not check device claims yet";

constexpr ArgSpec Weight(std::string_view name, std::string_view default_text,
                         std::string_view summary) {
  return {.name = name,
          .type = Type::kInt,
          .default_text = default_text,
          .min = 0,
          .max = kMaxWeight,
          .summary = summary};
}

// binpack takes 1 for a negative weight.
constexpr ArgSpec BinpackWeight(std::string_view name, std::string_view summary) {
  ArgSpec spec = Weight(name, "1", summary);
  spec.below_min_is_default = true;
  return spec;
}

constexpr ArgSpec BinpackPrefix(std::string_view name, std::string_view summary) {
  ArgSpec spec = BinpackWeight(name, summary);
  spec.name_is_prefix = true;
  return spec;
}

constexpr ArgSpec kOvercommit[] = {
    {.name = "overcommit-factor",
     .type = Type::kFloat,
     .default_text = "1.2",
     .min = 1,
     .max = 1e6,
     .summary = "jobs are admitted up to this multiple of the cluster",
     .below_min_is_default = true},
};

constexpr ArgSpec kSla[] = {
    {.name = "sla-waiting-time",
     .type = Type::kDuration,
     .min = 1e-9,
     .summary = "after waiting this long a job goes first",
     .below_min_is_default = true,
     .number_is_ignored = true},
};

constexpr ArgSpec kShapeFields[] = {
    {.name = "*/utilization", .type = Type::kInt, .min = 0, .max = 100},
    {.name = "*/score", .type = Type::kInt, .min = 0, .max = 10},
};

constexpr ArgSpec kPredicates[] = {
    BoolArg("predicate.NodeAffinityEnable", "true", "node selector and node affinity"),
    BoolArg("predicate.NodePortsEnable", "true", "host ports"),
    BoolArg("predicate.TaintTolerationEnable", "true", "taints"),
    BoolArg("predicate.PodAffinityEnable", "true", "pod affinity and anti-affinity"),
    BoolArg("predicate.PodTopologySpreadEnable", "true", "topology spread"),
    BoolArg("predicate.NodeVolumeLimitsEnable", "true", "volumes a node can attach", kNoVolumes),
    BoolArg("predicate.VolumeZoneEnable", "true", "zones of volumes", kNoVolumes),
    BoolArg("predicate.VolumeBindingEnable", "true", "volume binding", kNoVolumes),
    BoolArg("predicate.DynamicResourceAllocationEnable", "false", "device claims", kNoClaims),
    {.name = "volumebinding.bindTimeoutSeconds",
     .type = Type::kInt,
     .default_text = "600",
     .min = 0,
     .summary = "time to bind volumes",
     .inert = kNoVolumes},
    {.name = "volumebinding.weight",
     .type = Type::kInt,
     .default_text = "1",
     .min = 0,
     .max = kMaxWeight,
     .summary = "weight of the volume score",
     .inert = kNoVolumes},
    {.name = "volumebinding.shape",
     .type = Type::kMap,
     .summary = "volume utilisation to score",
     .inert = kNoVolumes,
     .fields = kShapeFields},
    {.name = "dynamicresources.filterTimeoutSeconds",
     .type = Type::kInt,
     .default_text = "10",
     .min = 0,
     .summary = "time to match device claims",
     .inert = kNoClaims},
};

constexpr ArgSpec kNodeOrder[] = {
    Weight("leastrequested.weight", "1", "prefers nodes with much idle"),
    Weight("mostrequested.weight", "0", "prefers nodes with little idle"),
    Weight("nodeaffinity.weight", "2", "preferred node affinity"),
    Weight("podaffinity.weight", "2", "preferred pod affinity and anti-affinity"),
    Weight("balancedresource.weight", "1", "prefers nodes whose resources are used evenly"),
    Weight("tainttoleration.weight", "3", "avoids PreferNoSchedule taints"),
    Weight("imagelocality.weight", "1", "prefers nodes that have the images"),
    Weight("podtopologyspread.weight", "2", "topology spread with ScheduleAnyway"),
};

constexpr ArgSpec kBinpack[] = {
    BinpackWeight("binpack.weight", "weight of the whole score; 0 switches it off"),
    BinpackWeight("binpack.cpu", "weight of cpu"),
    BinpackWeight("binpack.memory", "weight of memory"),
    {.name = "binpack.resources",
     .type = Type::kStringList,
     .summary = "further resources that count"},
    BinpackPrefix("binpack.resources.", "weight of one further resource"),
};

constexpr ArgSpec kFitResources[] = {
    {.name = "*/type",
     .type = Type::kString,
     .default_text = "LeastAllocated",
     .choices = "LeastAllocated,MostAllocated"},
    Weight("*/weight", "1", "weight of the resource"),
};

constexpr ArgSpec kFitSra[] = {
    BoolArg("enable", "false", "keeps pods without devices off device nodes"),
    {.name = "resources", .type = Type::kStringList, .summary = "the devices"},
    Weight("weight", "1", "weight of the score"),
    Weight("resourceWeight/*", "1", "weight of one device"),
};

constexpr ArgSpec kFitProportional[] = {
    BoolArg("enable", "false", "keeps cpu and memory back for idle devices"),
    {.name = "resources", .type = Type::kStringList, .summary = "the devices"},
    {.name = "resourceProportion/*",
     .type = Type::kFloat,
     .min = 0,
     .max = kMaxWeight,
     .summary = "cpu or memory kept for one device, by \"<device>.cpu\" and \"<device>.memory\""},
};

constexpr ArgSpec kResourceStrategyFit[] = {
    Weight("resourceStrategyFitWeight", "10", "weight of the whole score"),
    {.name = "resources",
     .type = Type::kMap,
     .summary = "strategy of a resource or prefix*",
     .fields = kFitResources},
    {.name = "sra", .type = Type::kMap, .summary = "scarce resource avoidance", .fields = kFitSra},
    {.name = "proportional",
     .type = Type::kMap,
     .summary = "cpu and memory kept for devices",
     .fields = kFitProportional},
};

constexpr ArgSpec kNodeGroup[] = {
    BoolArg("strict", "true", "nodes without a group are for nobody"),
    BoolArg("enablePreferredOrder", "false", "earlier preferred groups score higher"),
};

constexpr ArgSpec kTdm[] = {
    {.name = "tdm.revocable-zone.",
     .type = Type::kTimeRange,
     .summary = "when the zone is ours",
     .name_is_prefix = true},
    {.name = "tdm.evict.period",
     .type = Type::kDuration,
     .default_text = "1m",
     .min = 0,
     .summary = "least time between two evictions"},
};

constexpr ArgSpec kCapacity[] = {
    {.name = "ancestorReclaimLevel",
     .type = Type::kInt,
     .default_text = "0",
     .min = 0,
     .max = 1000,
     .summary = "ancestors that have a say when a queue reclaims",
     .below_min_is_default = true},
    BoolArg("capacity.DynamicResourceAllocationEnable", "false", "device claims count in queues",
            kNoClaims),
    BoolArg("capacity.DRAConsumableCapacityEnable", "false", "and what they consume of a device",
            kNoClaims),
};

constexpr ArgSpec kErrorCache =
    BoolArg("predicateErrorCacheEnable", "true", "remembers nodes that refused a role");

constexpr ArgSpec kAllocate[] = {kErrorCache};
constexpr ArgSpec kBackfill[] = {kErrorCache};
constexpr ArgSpec kReclaim[] = {kErrorCache};

constexpr std::string_view kEveryNode = "no effect: every node is tried";

constexpr ArgSpec kPreempt[] = {
    kErrorCache,
    BoolArg("enableTopologyAwarePreemption", "false", kEveryNode),
    {.name = "topologyAwarePreemptWorkerNum",
     .type = Type::kInt,
     .default_text = "16",
     .min = 1,
     .max = 10'000,
     .summary = kEveryNode},
    {.name = "minCandidateNodesPercentage",
     .type = Type::kInt,
     .default_text = "10",
     .min = 0,
     .max = 100,
     .summary = kEveryNode},
    {.name = "minCandidateNodesAbsolute",
     .type = Type::kInt,
     .default_text = "1",
     .min = 0,
     .max = 1e9,
     .summary = kEveryNode},
    {.name = "maxCandidateNodesAbsolute",
     .type = Type::kInt,
     .default_text = "100",
     .min = 0,
     .max = 1e9,
     .summary = kEveryNode},
};

struct Owner {
  std::string_view name;
  std::span<const ArgSpec> args;
};

std::span<const Owner> Actions() {
  static const Owner kActions[] = {
      {"enqueue", {}},       {"allocate", kAllocate},    {"backfill", kBackfill},
      {"preempt", kPreempt}, {"reclaim", kReclaim},      {"shuffle", {}},
      {"revoke", {}},        {"slack", SlackArgSpecs()}, {"autoscale", AutoscaleArgSpecs()},
  };
  return kActions;
}

std::span<const Owner> Plugins() {
  static const Owner kPlugins[] = {
      {"elasticquota", QuotaArgSpecs()},
      {"gang", {}},
      {"priority", {}},
      {"conformance", {}},
      {"drf", {}},
      {"proportion", {}},
      {"capacity", kCapacity},
      {"predicates", kPredicates},
      {"nodeorder", kNodeOrder},
      {"binpack", kBinpack},
      {"overcommit", kOvercommit},
      {"sla", kSla},
      {"pdb", {}},
      {"resourcequota", {}},
      {"nodegroup", kNodeGroup},
      {"tdm", kTdm},
      {"cdp", {}},
      {"resource-strategy-fit", kResourceStrategyFit},
  };
  return kPlugins;
}

}  // namespace

std::span<const ArgSpec> ArgSpecsOf(std::string_view plugin_or_action) {
  for (const std::span<const Owner> owners : {std::span<const Owner>(Actions()), Plugins()}) {
    const auto found = std::ranges::find(owners, plugin_or_action, &Owner::name);
    if (found != owners.end()) return found->args;
  }
  return {};
}

ConfVocabulary BuiltinVocabulary() {
  ConfVocabulary vocabulary;
  for (const Owner& action : Actions()) vocabulary.actions.emplace_back(action.name);
  for (const Owner& plugin : Plugins())
    vocabulary.plugins.push_back({std::string(plugin.name), plugin.args});
  return vocabulary;
}

}  // namespace batholith
