#include "test/property/quota_env.h"

#include <string>
#include <vector>

#include "actions/builtin.h"
#include "conf/compile.h"
#include "conf/load.h"
#include "plugins/builtin.h"

namespace batholith::property {
namespace {

std::string QuotaConfText(QuotaConf conf) {
  const bool gang_votes = conf == QuotaConf::kGang;
  const std::string gang =
      gang_votes ? "gang" : "gang, enablePreemptable: false, enableReclaimable: false";
  std::string actions = "enqueue, allocate, reclaim, preempt, backfill";
  std::string arguments = "compat: ours";
  if (conf == QuotaConf::kOneNode) arguments = "crossNode: \"off\"";
  if (conf == QuotaConf::kReclaimNow) arguments = "reclaimNow: true";
  if (conf == QuotaConf::kStrict) arguments = "compat: strict";
  if (conf == QuotaConf::kRevoke) {
    actions = "enqueue, allocate, revoke, preempt, backfill";
    arguments = "monitorAllQuotas: true, delayEvictTime: 2s";
  }
  return fmt::format(
      "actions: \"{}\"\n"
      "tiers:\n"
      "- plugins: [{{name: priority}}, {{name: {}}}, {{name: conformance}}]\n"
      "- plugins: [{{name: predicates}}, {{name: elasticquota, arguments: {{{}}}}}, "
      "{{name: nodeorder}}]\n",
      actions, gang, arguments);
}

}  // namespace

const Pipeline& PipelineOf(QuotaConf conf) {
  static const std::vector<Pipeline> pipelines = [] {
    std::vector<Pipeline> out;
    for (int c = 0; c < kQuotaConfs; ++c) {
      const std::string text = QuotaConfText(static_cast<QuotaConf>(c));
      out.push_back(
          Compile(ParseConf(text, "quotas", {BuiltinPlugins(), BuiltinActions()}).value()).value());
    }
    return out;
  }();
  return pipelines[static_cast<std::size_t>(conf)];
}

}  // namespace batholith::property
