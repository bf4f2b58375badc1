#pragma once

#include <string_view>
#include <utility>

#include "api/vocabulary.h"
#include "quota/options.h"

// The words for the policies of quotas, in a conf and in the annotations of a quota.
namespace batholith {

template <>
struct Vocabulary<QuotaPolicy::Limit> {
  static constexpr std::pair<std::string_view, QuotaPolicy::Limit> kWords[] = {
      {"max", QuotaPolicy::Limit::kMax}, {"runtime", QuotaPolicy::Limit::kRuntime}};
};

template <>
struct Vocabulary<QuotaPolicy::Compare> {
  static constexpr std::pair<std::string_view, QuotaPolicy::Compare> kWords[] = {
      {"podOnly", QuotaPolicy::Compare::kPodOnly}, {"upstream", QuotaPolicy::Compare::kUpstream}};
};

template <>
struct Vocabulary<QuotaPolicy::MissingMax> {
  static constexpr std::pair<std::string_view, QuotaPolicy::MissingMax> kWords[] = {
      {"unlimited", QuotaPolicy::MissingMax::kUnlimited},
      {"upstream", QuotaPolicy::MissingMax::kUpstream}};
};

template <>
struct Vocabulary<QuotaPolicy::Aggregated> {
  static constexpr std::pair<std::string_view, QuotaPolicy::Aggregated> kWords[] = {
      {"listed", QuotaPolicy::Aggregated::kListed},
      {"upstream", QuotaPolicy::Aggregated::kUpstream}};
};

template <>
struct Vocabulary<QuotaPolicy::Share> {
  static constexpr std::pair<std::string_view, QuotaPolicy::Share> kWords[] = {
      {"firstCome", QuotaPolicy::Share::kFirstCome},
      {"guaranteedOverQuota", QuotaPolicy::Share::kGuaranteedOverQuota},
      {"waterFill", QuotaPolicy::Share::kWaterFill}};
};

template <>
struct Vocabulary<QuotaPolicy::OwnVictims> {
  static constexpr std::pair<std::string_view, QuotaPolicy::OwnVictims> kWords[] = {
      {"overMinOnly", QuotaPolicy::OwnVictims::kOverMinOnly},
      {"always", QuotaPolicy::OwnVictims::kAlways}};
};

template <>
struct Vocabulary<QuotaPolicy::CrossVictims> {
  static constexpr std::pair<std::string_view, QuotaPolicy::CrossVictims> kWords[] = {
      {"none", QuotaPolicy::CrossVictims::kNone},
      {"overMin", QuotaPolicy::CrossVictims::kOverMin},
      {"overQuotaPods", QuotaPolicy::CrossVictims::kOverQuotaPods}};
};

template <>
struct Vocabulary<QuotaPolicy::UsedForStatus> {
  static constexpr std::pair<std::string_view, QuotaPolicy::UsedForStatus> kWords[] = {
      {"running", QuotaPolicy::UsedForStatus::kRunning},
      {"runningMinKeys", QuotaPolicy::UsedForStatus::kRunningMinKeys},
      {"assigned", QuotaPolicy::UsedForStatus::kAssigned}};
};

template <>
struct Vocabulary<QuotaPolicy::Terminating> {
  static constexpr std::pair<std::string_view, QuotaPolicy::Terminating> kWords[] = {
      {"count", QuotaPolicy::Terminating::kCount},
      {"afterGrace", QuotaPolicy::Terminating::kAfterGrace},
      {"ignore", QuotaPolicy::Terminating::kIgnore}};
};

// Of policies that are on or off.
template <>
struct Vocabulary<bool> {
  static constexpr std::pair<std::string_view, bool> kWords[] = {
      {"on", true}, {"off", false}, {"true", true}, {"false", false}};
};

template <>
struct Vocabulary<QuotaOptions::FlatFamilies> {
  static constexpr std::pair<std::string_view, QuotaOptions::FlatFamilies> kWords[] = {
      {"subtractUsed", QuotaOptions::FlatFamilies::kSubtractUsed},
      {"subtractMin", QuotaOptions::FlatFamilies::kSubtractMin},
      {"ignore", QuotaOptions::FlatFamilies::kIgnore}};
};

}  // namespace batholith
