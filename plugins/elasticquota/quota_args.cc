#include "plugins/elasticquota/quota_args.h"

#include "api/quantity.h"
#include "conf/quota_arg_specs.h"

namespace batholith {
namespace {

using P = QuotaPolicy;

void ReadPolicies(const PluginArguments& args, QuotaOptions& out) {
  for (const std::string_view argument : QuotaPolicyArguments()) {
    if (!args.Has(argument)) continue;
    const auto per_dialect = args.Nested(argument);
    if (per_dialect.empty()) {
      for (P& policy : out.policies) SetPolicy(policy, argument, args.String(argument));
    }
    for (const auto& [path, value] : per_dialect) {
      const QuotaDialect dialect = path.front() == "cs"    ? QuotaDialect::kSchedulerPlugins
                                   : path.front() == "nos" ? QuotaDialect::kNos
                                                           : QuotaDialect::kKoordinator;
      SetPolicy(out.policy(dialect), argument, value);
    }
  }
}

// Koordinator's own arguments and feature gates (reference 3.14).
void ReadKoordinator(const PluginArguments& args, QuotaOptions& out) {
  P& policy = out.policy(QuotaDialect::kKoordinator);
  out.use_runtime = args.Bool("enableRuntimeQuota");
  if (!out.use_runtime) policy.limit = P::Limit::kMax;
  out.scale_min = args.Bool("enableMinQuotaScale");
  out.check_parent = args.Bool("enableCheckParentQuota");
  out.monitor_all = args.Bool("monitorAllQuotas");
  out.protect_default = args.Bool("disableDefaultQuotaPreemption");
  if (const auto delay = args.Duration("delayEvictTime")) out.delay_evict_ns = delay->count();
  for (const auto& [path, text] : args.Nested("defaultQuotaGroupMax")) {
    if (const auto amount = ParseQuantity(text, ResourceScale(path.front())))
      out.default_max[path.front()] = *amount;
  }
  out.group_namespace = args.String("quotaGroupNamespace");
  out.multi_tree = args.Bool("MultiQuotaTree");
  out.guarantee_used = args.Bool("ElasticQuotaGuaranteeUsage");
  out.default_quota = !args.Bool("DisableDefaultQuota");
  out.parents_take_pods = args.Bool("SupportParentQuotaSubmitPod");
  if (args.Bool("ElasticQuotaIgnoreTerminatingPod"))
    policy.terminating = P::Terminating::kAfterGrace;
  if (args.Bool("ElasticQuotaImmediateIgnoreTerminatingPod"))
    policy.terminating = P::Terminating::kIgnore;
}

}  // namespace

QuotaOptions ReadQuotaOptions(const PluginArguments& args) {
  QuotaOptions out = QuotaOptions::Defaults(args.String("compat") == "strict");
  ReadKoordinator(args, out);
  ReadPolicies(args, out);
  if (args.Has("victimResources"))
    out.needed_resources_only = args.String("victimResources") == "needed";
  out.count_pods = args.Bool("countPods");
  out.system_namespaces = args.List("systemNamespaces");
  const bool older = args.Has("nvidiaGPUResourceMemoryGB");
  out.gb_per_gpu = args.Int(older ? "nvidiaGPUResourceMemoryGB" : "nvidiaGpuResourceMemoryGB");
  out.mps_slices = args.Bool("mpsSliceMemory");
  out.legacy_cs_owns_sigs_group = args.String("sigsGroupOwner") == "legacy-cs";
  const std::string flat = args.String("flatFamilies");
  if (flat == "subtractMin") out.flat_families = QuotaOptions::FlatFamilies::kSubtractMin;
  if (flat == "ignore") out.flat_families = QuotaOptions::FlatFamilies::kIgnore;
  const std::string binding = args.String("namespaceBinding");
  out.bind_namespace = binding == "single" || binding == "true";
  if (out.strict && !args.Has("namespaceBinding")) out.bind_namespace = false;
  out.reclaim_now = args.Bool("reclaimNow");
  if (args.String("revokeBy") == "delete") out.revoke_by = EvictBy::kDeletion;
  if (args.Has("maxVictims")) out.max_victims = args.Int("maxVictims");
  if (args.Has("maxTouchedNodes")) out.max_touched_nodes = args.Int("maxTouchedNodes");
  return out;
}

}  // namespace batholith
