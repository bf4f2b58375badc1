#include "quota/options.h"

#include <optional>
#include <string_view>
#include <utility>

namespace batholith {
namespace {

template <typename Value, std::size_t N>
bool Choose(const std::pair<std::string_view, Value> (&choices)[N], std::string_view text,
            Value& out) {
  for (const auto& [name, value] : choices) {
    if (name != text) continue;
    out = value;
    return true;
  }
  return false;
}

using P = QuotaPolicy;
constexpr std::pair<std::string_view, P::Limit> kLimit[] = {{"max", P::Limit::kMax},
                                                            {"runtime", P::Limit::kRuntime}};
constexpr std::pair<std::string_view, P::Compare> kCompare[] = {
    {"podOnly", P::Compare::kPodOnly}, {"upstream", P::Compare::kUpstream}};
constexpr std::pair<std::string_view, P::MissingMax> kMissingMax[] = {
    {"unlimited", P::MissingMax::kUnlimited}, {"upstream", P::MissingMax::kUpstream}};
constexpr std::pair<std::string_view, P::Aggregated> kAggregated[] = {
    {"listed", P::Aggregated::kListed}, {"upstream", P::Aggregated::kUpstream}};
constexpr std::pair<std::string_view, P::Share> kShare[] = {
    {"firstCome", P::Share::kFirstCome},
    {"guaranteedOverQuota", P::Share::kGuaranteedOverQuota},
    {"waterFill", P::Share::kWaterFill}};
constexpr std::pair<std::string_view, P::OwnVictims> kOwn[] = {
    {"overMinOnly", P::OwnVictims::kOverMinOnly}, {"always", P::OwnVictims::kAlways}};
constexpr std::pair<std::string_view, P::CrossVictims> kCross[] = {
    {"none", P::CrossVictims::kNone},
    {"overMin", P::CrossVictims::kOverMin},
    {"overQuotaPods", P::CrossVictims::kOverQuotaPods}};
constexpr std::pair<std::string_view, P::UsedForStatus> kUsed[] = {
    {"running", P::UsedForStatus::kRunning},
    {"runningMinKeys", P::UsedForStatus::kRunningMinKeys},
    {"assigned", P::UsedForStatus::kAssigned}};
constexpr std::pair<std::string_view, P::Terminating> kTerminating[] = {
    {"count", P::Terminating::kCount},
    {"afterGrace", P::Terminating::kAfterGrace},
    {"ignore", P::Terminating::kIgnore}};
constexpr std::pair<std::string_view, bool> kOnOff[] = {
    {"on", true}, {"off", false}, {"true", true}, {"false", false}};

}  // namespace

bool SetPolicy(QuotaPolicy& policy, std::string_view argument, std::string_view value) {
  if (argument == "limit") return Choose(kLimit, value, policy.limit);
  if (argument == "parentCheck") return Choose(kOnOff, value, policy.parent_check);
  if (argument == "compareResources") return Choose(kCompare, value, policy.compare);
  if (argument == "missingMax") return Choose(kMissingMax, value, policy.missing_max);
  if (argument == "aggregatedResources") return Choose(kAggregated, value, policy.aggregated);
  if (argument == "share") return Choose(kShare, value, policy.share);
  if (argument == "ownVictims") return Choose(kOwn, value, policy.own_victims);
  if (argument == "crossVictims") return Choose(kCross, value, policy.cross_victims);
  if (argument == "crossNode") return Choose(kOnOff, value, policy.cross_node);
  if (argument == "usedForStatus") return Choose(kUsed, value, policy.used_for_status);
  if (argument == "terminating") return Choose(kTerminating, value, policy.terminating);
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
