#include "quota/options.h"

#include <optional>
#include <string_view>

#include "quota/policy_words.h"

namespace batholith {
namespace {

template <typename Value>
bool Choose(std::string_view text, Value& out) {
  const std::optional<Value> value = FromWord<Value>(text);
  if (value) out = *value;
  return value.has_value();
}

using P = QuotaPolicy;

}  // namespace

bool SetPolicy(QuotaPolicy& policy, std::string_view argument, std::string_view value) {
  if (argument == "limit") return Choose(value, policy.limit);
  if (argument == "parentCheck") return Choose(value, policy.parent_check);
  if (argument == "compareResources") return Choose(value, policy.compare);
  if (argument == "missingMax") return Choose(value, policy.missing_max);
  if (argument == "aggregatedResources") return Choose(value, policy.aggregated);
  if (argument == "share") return Choose(value, policy.share);
  if (argument == "ownVictims") return Choose(value, policy.own_victims);
  if (argument == "crossVictims") return Choose(value, policy.cross_victims);
  if (argument == "crossNode") return Choose(value, policy.cross_node);
  if (argument == "usedForStatus") return Choose(value, policy.used_for_status);
  if (argument == "terminating") return Choose(value, policy.terminating);
  return false;
}

QuotaOptions QuotaOptions::Defaults(bool strict) {
  QuotaOptions out;
  out.strict = strict;
  QuotaPolicy& nos = out.policy(QuotaDialect::kNos);
  nos.share = P::Share::kGuaranteedOverQuota;
  nos.cross_victims = P::CrossVictims::kOverQuotaPods;
  nos.used_for_status = P::UsedForStatus::kRunningMinKeys;
  QuotaPolicy& koordinator = out.policy(QuotaDialect::kKoordinator);
  koordinator.limit = P::Limit::kRuntime;
  koordinator.share = P::Share::kWaterFill;
  koordinator.own_victims = P::OwnVictims::kAlways;
  koordinator.cross_victims = P::CrossVictims::kNone;
  koordinator.used_for_status = P::UsedForStatus::kAssigned;
  if (!strict) return out;
  for (QuotaPolicy& policy : out.policies) {
    policy.compare = P::Compare::kUpstream;
    policy.missing_max = P::MissingMax::kUpstream;
    policy.aggregated = P::Aggregated::kUpstream;
    policy.cross_node = false;
  }
  out.needed_resources_only = false;
  out.max_victims = INT64_MAX;
  out.max_touched_nodes = INT64_MAX;
  return out;
}

}  // namespace batholith
