#include "conf/quota_arg_specs.h"

#include <array>

namespace batholith {
namespace {

using Type = ArgSpec::Type;

using PerDialect = std::array<ArgSpec, 3>;

constexpr PerDialect EachOf(std::string_view choices) {
  PerDialect out{};
  out[0] = {.name = "cs", .choices = choices};
  out[1] = {.name = "nos", .choices = choices};
  out[2] = {.name = "koordinator", .choices = choices};
  return out;
}

constexpr std::string_view kOnOff = "on,off,true,false";
constexpr PerDialect kLimit = EachOf("max,runtime");
constexpr PerDialect kSwitch = EachOf(kOnOff);
constexpr PerDialect kCompare = EachOf("podOnly,upstream");
constexpr PerDialect kMissingMax = EachOf("unlimited,upstream");
constexpr PerDialect kAggregated = EachOf("listed,upstream");
constexpr PerDialect kShare = EachOf("firstCome,guaranteedOverQuota,waterFill");
constexpr PerDialect kOwnVictims = EachOf("overMinOnly,always");
constexpr PerDialect kCrossVictims = EachOf("none,overMin,overQuotaPods");
constexpr PerDialect kUsedForStatus = EachOf("running,runningMinKeys,assigned");
constexpr PerDialect kTerminating = EachOf("count,afterGrace,ignore");

constexpr ArgSpec Policy(std::string_view name, const PerDialect& each, std::string_view summary) {
  return {.name = name, .summary = summary, .choices = each[0].choices, .fields = each};
}

constexpr ArgSpec Period(std::string_view name, std::string_view default_text,
                         std::string_view summary, std::string_view inert = "") {
  return {.name = name,
          .type = Type::kDuration,
          .default_text = default_text,
          .min = 0,
          .summary = summary,
          .inert = inert};
}

constexpr ArgSpec Count(std::string_view name, std::string_view default_text,
                        std::string_view summary) {
  return {.name = name,
          .type = Type::kInt,
          .default_text = default_text,
          .min = 1,
          .max = 1e15,
          .summary = summary};
}

constexpr ArgSpec kAnyResource[] = {{.name = "*"}};

constexpr ArgSpec kQuota[] = {
    {.name = "compat",
     .default_text = "ours",
     .summary = "strict: the rules of the systems that the quotas come from, to the letter",
     .choices = "ours,strict"},
    Policy("limit", kLimit, "what used may not exceed"),
    Policy("parentCheck", kSwitch, "quotas above are checked too"),
    Policy("compareResources", kCompare, "which resources are compared"),
    Policy("missingMax", kMissingMax, "what a max that does not list a resource means"),
    Policy("aggregatedResources", kAggregated, "which resources the sum of minimums bounds"),
    Policy("share", kShare, "how what is idle is shared"),
    Policy("ownVictims", kOwnVictims, "when a quota's own lower pods are victims"),
    Policy("crossVictims", kCrossVictims, "which pods of other quotas are victims"),
    Policy("crossNode", kSwitch, "one plan may evict on several nodes"),
    Policy("usedForStatus", kUsedForStatus, "which pods status.used counts"),
    Policy("terminating", kTerminating, "whether leaving pods hold their quota"),
    {.name = "victimResources",
     .default_text = "",
     .summary = "needed: only what the asker lacks makes a quota over",
     .choices = "needed,any"},
    BoolArg("countPods", "false", "pods is a resource of quotas"),
    BoolArg("enableMinQuotaScale", "true", "minimums shrink when the cluster is too small"),
    BoolArg("enableRuntimeQuota", "true", "the limit is the runtime, not max"),
    BoolArg("enableCheckParentQuota", "false", "runtimes of parents are checked too"),
    BoolArg("monitorAllQuotas", "false", "action revoke takes back what is over the runtime"),
    BoolArg("disableDefaultQuotaPreemption", "true", "pods of the default quota are spared"),
    Period("delayEvictTime", "120s", "how long a quota may be over its runtime"),
    Period("revokePodInterval", "1s", "time between two looks at it",
           "action revoke looks in each session"),
    {.name = "defaultQuotaGroupMax",
     .type = Type::kMap,
     .summary = "max of the default quota",
     .fields = kAnyResource},
    {.name = "systemQuotaGroupMax",
     .type = Type::kMap,
     .summary = "max of the system quota",
     .inert = "the system quota is never limited",
     .fields = kAnyResource},
    {.name = "quotaGroupNamespace",
     .default_text = "koordinator-system",
     .summary = "where the built-in quotas live"},
    Period("quotaSnapshotUpdateInterval", "120s", "age of the figures for queueing hints",
           "figures are new in each session"),
    BoolArg("MultiQuotaTree", "false", "quotas of one tree-id are a tree of their own"),
    BoolArg("ElasticQuotaIgnorePodOverhead", "false", "pod overhead is not charged",
            "the request of a pod is one figure here, overhead included"),
    BoolArg("ElasticQuotaIgnoreTerminatingPod", "false",
            "leaving pods are dropped after their grace"),
    BoolArg("ElasticQuotaImmediateIgnoreTerminatingPod", "false",
            "leaving pods are dropped at once"),
    BoolArg("ElasticQuotaGuaranteeUsage", "false",
            "what runs is never taken away by recalculation"),
    BoolArg("DisableDefaultQuota", "false", "pods without a quota are not charged"),
    BoolArg("SupportParentQuotaSubmitPod", "false", "parents take pods too"),
    {.name = "systemNamespaces",
     .type = Type::kStringList,
     .default_text = "kube-system,koordinator-system",
     .summary = "namespaces whose pods belong to the system quota"},
    Count("nvidiaGpuResourceMemoryGB", "16", "GB of one nvidia.com/gpu"),
    Count("nvidiaGPUResourceMemoryGB", "16", "older spelling of the same"),
    BoolArg("mpsSliceMemory", "false", "nvidia.com/gpu-<n>gb counts n GB"),
    {.name = "sigsGroupOwner",
     .default_text = "koordinator",
     .summary = "who owns scheduling.sigs.k8s.io",
     .choices = "koordinator,legacy-cs"},
    {.name = "flatFamilies",
     .default_text = "subtractUsed",
     .summary = "what the flat dialects take from Koordinator's total",
     .choices = "subtractUsed,subtractMin,ignore"},
    {.name = "namespaceBinding",
     .default_text = "single",
     .summary = "single (true): a lone quota of a namespace takes its pods; sameName (false)",
     .choices = "single,sameName,true,false"},
    BoolArg("bindAll", "false", "a pod is charged to every quota that claims it",
            "the first quota by precedence is charged"),
    BoolArg("reclaimNow", "false", "a pod within its runtime takes back at once"),
    {.name = "revokeBy",
     .default_text = "eviction",
     .summary = "how revoked pods leave",
     .choices = "eviction,delete"},
    Count("maxVictims", "64", "a plan with more victims is none"),
    Count("maxTouchedNodes", "16", "a plan that touches more nodes is none"),
};

constexpr std::string_view kPolicies[] = {
    "limit",      "parentCheck", "compareResources", "missingMax", "aggregatedResources",
    "share",      "ownVictims",  "crossVictims",     "crossNode",  "usedForStatus",
    "terminating"};

}  // namespace

std::span<const ArgSpec> QuotaArgSpecs() { return kQuota; }
std::span<const std::string_view> QuotaPolicyArguments() { return kPolicies; }

}  // namespace batholith
