#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "api/effect.h"
#include "api/elastic_quota.h"
#include "api/resource_schema.h"

namespace batholith {

// How one dialect's quotas behave. A quota may override it by annotation.
struct QuotaPolicy {
  enum class Limit : std::uint8_t { kMax, kRuntime };
  enum class Compare : std::uint8_t { kPodOnly, kUpstream };  // which resources are looked at
  enum class MissingMax : std::uint8_t { kUnlimited, kUpstream };
  enum class Aggregated : std::uint8_t { kListed, kUpstream };  // which resources Σ min bounds
  enum class Share : std::uint8_t { kFirstCome, kGuaranteedOverQuota, kWaterFill };
  enum class OwnVictims : std::uint8_t { kOverMinOnly, kAlways };
  enum class CrossVictims : std::uint8_t { kNone, kOverMin, kOverQuotaPods };
  enum class UsedForStatus : std::uint8_t { kRunning, kRunningMinKeys, kAssigned };
  enum class Terminating : std::uint8_t { kCount, kAfterGrace, kIgnore };

  Limit limit = Limit::kMax;
  bool parent_check = true;
  Compare compare = Compare::kPodOnly;
  MissingMax missing_max = MissingMax::kUnlimited;
  Aggregated aggregated = Aggregated::kListed;
  Share share = Share::kFirstCome;
  OwnVictims own_victims = OwnVictims::kOverMinOnly;
  CrossVictims cross_victims = CrossVictims::kOverMin;
  bool cross_node = true;
  UsedForStatus used_for_status = UsedForStatus::kRunning;
  Terminating terminating = Terminating::kCount;
  bool operator==(const QuotaPolicy&) const = default;
};

// The arguments of plugin elasticquota, typed.
struct QuotaOptions {
  enum class FlatFamilies : std::uint8_t { kSubtractUsed, kSubtractMin, kIgnore };

  bool strict = false;
  std::array<QuotaPolicy, 3> policies;  // by QuotaDialect
  bool needed_resources_only = true;    // victimResources: needed
  bool count_pods = false;
  bool scale_min = true;
  bool use_runtime = true;
  bool check_parent = false;
  bool monitor_all = false;
  bool protect_default = true;
  std::int64_t delay_evict_ns = 120'000'000'000;
  ResourceList default_max;  // empty: unlimited
  std::string group_namespace = "koordinator-system";
  bool multi_tree = false;
  bool guarantee_used = false;
  bool default_quota = true;  // gate DisableDefaultQuota turns it off
  bool parents_take_pods = false;
  std::vector<std::string> system_namespaces = {"kube-system", "koordinator-system"};
  std::int64_t gb_per_gpu = 16;
  bool mps_slices = false;
  bool legacy_cs_owns_sigs_group = false;
  FlatFamilies flat_families = FlatFamilies::kSubtractUsed;
  bool bind_namespace = true;  // a lone quota of a namespace takes its pods, whatever its name
  bool reclaim_now = false;
  bool older_first = false;  // no pod takes what a job before it in its quota waits for
  EvictBy revoke_by = EvictBy::kEviction;
  std::int64_t max_victims = 64;
  std::int64_t max_touched_nodes = 16;

  const QuotaPolicy& policy(QuotaDialect d) const { return policies[static_cast<std::size_t>(d)]; }
  QuotaPolicy& policy(QuotaDialect d) { return policies[static_cast<std::size_t>(d)]; }

  // The defaults, or what they are under `compat: strict`.
  static QuotaOptions Defaults(bool strict);
};

// Sets one policy argument (limit, parentCheck, …) from its text. False: the text is none of the
// argument's values, or there is no such argument.
bool SetPolicy(QuotaPolicy& policy, std::string_view argument, std::string_view value);

}  // namespace batholith
