#include "plugins/elasticquota/options.h"

#include <array>

#include "api/quantity.h"
#include "quota/policy_words.h"

namespace batholith {
namespace {

using Type = ArgumentSpec::Type;
using P = QuotaPolicy;

constexpr std::string_view kCompat[] = {"ours", "strict"};
constexpr std::string_view kVictimResources[] = {"needed", "any"};
constexpr std::string_view kOwners[] = {"koordinator", "legacy-cs"};
constexpr std::string_view kBindings[] = {"single", "sameName", "true", "false"};
constexpr std::string_view kRevokeBy[] = {"eviction", "delete"};

constexpr std::pair<std::string_view, QuotaDialect> kDialects[] = {
    {"cs", QuotaDialect::kSchedulerPlugins},
    {"nos", QuotaDialect::kNos},
    {"koordinator", QuotaDialect::kKoordinator},
};

template <typename Value>
constexpr std::array<ArgumentSpec, 3> EachDialect() {
  std::array<ArgumentSpec, 3> out{};
  for (std::size_t d = 0; d < out.size(); ++d) {
    out[d].name = kDialects[d].first;
    out[d].summary = "for quotas of this dialect";
    out[d].choices = kWordsOf<Value>;
  }
  return out;
}

template <typename Value>
constexpr std::array<ArgumentSpec, 3> kEachDialect = EachDialect<Value>();

template <typename Value>
constexpr ArgumentSpec Policy(std::string_view name, std::string_view summary) {
  return {
      .name = name, .summary = summary, .choices = kWordsOf<Value>, .fields = kEachDialect<Value>};
}

constexpr ArgumentSpec Period(std::string_view name, std::string_view default_text,
                              std::string_view summary, std::string_view inert = "") {
  return {.name = name,
          .type = Type::kDuration,
          .default_text = default_text,
          .min = 0,
          .summary = summary,
          .inert = inert};
}

constexpr ArgumentSpec Count(std::string_view name, std::string_view default_text,
                             std::string_view summary) {
  return {.name = name,
          .type = Type::kInt,
          .default_text = default_text,
          .min = 1,
          .max = 1e15,
          .summary = summary};
}

constexpr ArgumentSpec kAnyResource[] = {{.name = "*", .summary = "an amount of this resource"}};

constexpr ArgumentSpec kArguments[] = {
    {.name = "compat",
     .default_text = "ours",
     .summary = "strict: the rules of the systems that the quotas come from, to the letter",
     .choices = kCompat},
    Policy<P::Limit>("limit", "what used may not exceed"),
    Policy<bool>("parentCheck", "quotas above are checked too"),
    Policy<P::Compare>("compareResources", "which resources are compared"),
    Policy<P::MissingMax>("missingMax", "what a max that does not list a resource means"),
    Policy<P::Aggregated>("aggregatedResources", "which resources the sum of minimums bounds"),
    Policy<P::Share>("share", "how what is idle is shared"),
    Policy<P::OwnVictims>("ownVictims", "when a quota's own lower pods are victims"),
    Policy<P::CrossVictims>("crossVictims", "which pods of other quotas are victims"),
    Policy<bool>("crossNode", "one plan may evict on several nodes"),
    Policy<P::UsedForStatus>("usedForStatus", "which pods status.used counts"),
    Policy<P::Terminating>("terminating", "whether leaving pods hold their quota"),
    {.name = "victimResources",
     .default_text = "",
     .summary = "needed: only what the preemptor lacks makes a quota over",
     .choices = kVictimResources},
    BoolArgument("countPods", "false", "pods is a resource of quotas"),
    BoolArgument("enableMinQuotaScale", "true", "minimums shrink when the cluster is too small"),
    BoolArgument("enableRuntimeQuota", "true", "the limit is the runtime, not max"),
    BoolArgument("enableCheckParentQuota", "false", "runtimes of parents are checked too"),
    BoolArgument("monitorAllQuotas", "false", "action revoke takes back what is over the runtime"),
    BoolArgument("disableDefaultQuotaPreemption", "true", "pods of the default quota are spared"),
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
    BoolArgument("MultiQuotaTree", "false", "quotas of one tree-id are a tree of their own"),
    BoolArgument("ElasticQuotaIgnorePodOverhead", "false", "pod overhead is not charged",
                 "the request of a pod is one figure here, overhead included"),
    BoolArgument("ElasticQuotaIgnoreTerminatingPod", "false",
                 "leaving pods are dropped after their grace"),
    BoolArgument("ElasticQuotaImmediateIgnoreTerminatingPod", "false",
                 "leaving pods are dropped at once"),
    BoolArgument("ElasticQuotaGuaranteeUsage", "false",
                 "what runs is never taken away by recalculation"),
    BoolArgument("DisableDefaultQuota", "false", "pods without a quota are not charged"),
    BoolArgument("olderFirst", "false",
                 "no pod takes what is left of a quota while a more important or older job of it "
                 "waits for more than that"),
    BoolArgument("SupportParentQuotaSubmitPod", "false", "parents take pods too"),
    {.name = "systemNamespaces",
     .type = Type::kStringList,
     .default_text = "kube-system,koordinator-system",
     .summary = "namespaces whose pods belong to the system quota"},
    Count("nvidiaGpuResourceMemoryGB", "16", "GB of one nvidia.com/gpu"),
    Count("nvidiaGPUResourceMemoryGB", "16", "older spelling of the same"),
    BoolArgument("mpsSliceMemory", "false", "nvidia.com/gpu-Ngb counts N GB"),
    {.name = "sigsGroupOwner",
     .default_text = "koordinator",
     .summary = "who owns scheduling.sigs.k8s.io",
     .choices = kOwners},
    {.name = "flatFamilies",
     .default_text = "subtractUsed",
     .summary = "what the flat dialects take from Koordinator's total",
     .choices = kWordsOf<QuotaOptions::FlatFamilies>},
    {.name = "namespaceBinding",
     .default_text = "single",
     .summary = "single (true): a lone quota of a namespace takes its pods; sameName (false)",
     .choices = kBindings},
    BoolArgument("bindAll", "false", "a pod is charged to every quota that claims it",
                 "the first quota by precedence is charged"),
    BoolArgument("reclaimNow", "false", "a pod within its runtime takes back at once"),
    {.name = "revokeBy",
     .default_text = "eviction",
     .summary = "how revoked pods leave",
     .choices = kRevokeBy},
    Count("maxVictims", "64", "a plan with more victims is none"),
    Count("maxTouchedNodes", "16", "a plan that touches more nodes is none"),
};

constexpr std::string_view kPolicies[] = {
    "limit",      "parentCheck", "compareResources", "missingMax", "aggregatedResources",
    "share",      "ownVictims",  "crossVictims",     "crossNode",  "usedForStatus",
    "terminating"};

void ReadPolicies(const Arguments& arguments, QuotaOptions& out) {
  for (const std::string_view name : kPolicies) {
    if (!arguments.Has(name)) continue;
    const Arguments each = arguments.Map(name);
    if (each.Keys().empty()) {
      for (P& policy : out.policies) SetPolicy(policy, name, arguments.Text(name));
    }
    for (const auto& [key, dialect] : kDialects) {
      if (each.Has(key)) SetPolicy(out.policy(dialect), name, each.Text(key));
    }
  }
}

// Koordinator's own arguments and feature gates.
OptionResult<void> ReadKoordinator(const Arguments& arguments, QuotaOptions& out) {
  P& policy = out.policy(QuotaDialect::kKoordinator);
  out.use_runtime = arguments.Bool("enableRuntimeQuota");
  if (!out.use_runtime) policy.limit = P::Limit::kMax;
  out.scale_min = arguments.Bool("enableMinQuotaScale");
  out.check_parent = arguments.Bool("enableCheckParentQuota");
  out.monitor_all = arguments.Bool("monitorAllQuotas");
  out.protect_default = arguments.Bool("disableDefaultQuotaPreemption");
  if (const auto delay = arguments.Duration("delayEvictTime")) out.delay_evict_ns = delay->count();
  const Arguments max = arguments.Map("defaultQuotaGroupMax");
  for (const std::string& resource : max.Keys()) {
    const auto amount = ParseQuantity(max.Text(resource), ResourceScale(resource));
    if (!amount)
      return max.Fail(resource, "defaultQuotaGroupMax/" + resource + ": " + amount.error().message);
    out.default_max[resource] = *amount;
  }
  out.group_namespace = arguments.Text("quotaGroupNamespace");
  out.multi_tree = arguments.Bool("MultiQuotaTree");
  out.guarantee_used = arguments.Bool("ElasticQuotaGuaranteeUsage");
  out.default_quota = !arguments.Bool("DisableDefaultQuota");
  out.older_first = arguments.Bool("olderFirst");
  out.parents_take_pods = arguments.Bool("SupportParentQuotaSubmitPod");
  if (arguments.Bool("ElasticQuotaIgnoreTerminatingPod"))
    policy.terminating = P::Terminating::kAfterGrace;
  if (arguments.Bool("ElasticQuotaImmediateIgnoreTerminatingPod"))
    policy.terminating = P::Terminating::kIgnore;
  return {};
}

}  // namespace

std::span<const ArgumentSpec> ElasticQuotaArguments() { return kArguments; }

OptionResult<QuotaOptions> ReadElasticQuotaOptions(const Arguments& arguments) {
  QuotaOptions out = QuotaOptions::Defaults(arguments.Text("compat") == "strict");
  if (const auto ok = ReadKoordinator(arguments, out); !ok) return std::unexpected(ok.error());
  ReadPolicies(arguments, out);
  if (arguments.Has("victimResources"))
    out.needed_resources_only = arguments.Text("victimResources") == "needed";
  out.count_pods = arguments.Bool("countPods");
  out.system_namespaces = arguments.List("systemNamespaces");
  const bool older = arguments.Has("nvidiaGPUResourceMemoryGB");
  out.gb_per_gpu = arguments.Int(older ? "nvidiaGPUResourceMemoryGB" : "nvidiaGpuResourceMemoryGB");
  out.mps_slices = arguments.Bool("mpsSliceMemory");
  out.legacy_cs_owns_sigs_group = arguments.Text("sigsGroupOwner") == "legacy-cs";
  out.flat_families = arguments.Choice<QuotaOptions::FlatFamilies>("flatFamilies");
  const std::string binding = arguments.Text("namespaceBinding");
  out.bind_namespace = binding == "single" || binding == "true";
  if (out.strict && !arguments.Has("namespaceBinding")) out.bind_namespace = false;
  out.reclaim_now = arguments.Bool("reclaimNow");
  if (arguments.Text("revokeBy") == "delete") out.revoke_by = EvictBy::kDeletion;
  if (arguments.Has("maxVictims")) out.max_victims = arguments.Int("maxVictims");
  if (arguments.Has("maxTouchedNodes")) out.max_touched_nodes = arguments.Int("maxTouchedNodes");
  return out;
}

QuotaOptions QuotaOptionsOf(const Pipeline& pipeline) {
  for (const Pipeline::PluginEntry& plugin : pipeline.plugins) {
    if (plugin.descriptor->name == "elasticquota")
      return *static_cast<const QuotaOptions*>(plugin.options.get());
  }
  return QuotaOptions::Defaults(/*strict=*/false);
}

}  // namespace batholith
