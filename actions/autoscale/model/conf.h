#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "api/objects.h"
#include "api/pattern.h"

namespace batholith {

inline constexpr TimeNs kAutoscaleSecond = 1'000'000'000;
inline constexpr TimeNs kAutoscaleMinute = 60 * kAutoscaleSecond;

enum class AutoscaleMode : std::uint8_t { kOff, kRecommend, kApply };

enum class ExpanderKind : std::uint8_t { kLeastWaste, kMostPods, kLeastNodes, kPriority, kRandom };

// A failed scale-up keeps its group out for `initial`, twice as long after each further failure, at
// most `max`; `reset` without a failure forgets them.
struct BackoffConf {
  TimeNs initial = 5 * kAutoscaleMinute;
  TimeNs max = 30 * kAutoscaleMinute;
  TimeNs reset = 180 * kAutoscaleMinute;
  bool operator==(const BackoffConf&) const = default;
};

struct ScaleDownConf {
  bool enabled = true;
  // Parts per million of allocatable. A node at the threshold is a candidate.
  std::int64_t utilization_threshold_ppm = 500'000;
  std::int64_t gpu_utilization_threshold_ppm = 500'000;
  TimeNs unneeded_time = 10 * kAutoscaleMinute;  // a node goes after more than this
  TimeNs unready_time = 20 * kAutoscaleMinute;   // the same of a node that is not ready
  bool unready_enabled = true;
  TimeNs delay_after_add = 10 * kAutoscaleMinute;  // also after the first decision
  TimeNs delay_after_failure = 3 * kAutoscaleMinute;
  TimeNs delay_after_delete = 0;
  std::int64_t max_parallel = 10;    // nodes that are going at a time
  std::int64_t max_drain = 1;        // of them, nodes with pods
  std::int64_t max_candidates = 30;  // nodes with pods that one decision simulates
  TimeNs unremovable_recheck = 5 * kAutoscaleMinute;
  TimeNs removal_timeout = 15 * kAutoscaleMinute;  // a node that is still there: the removal failed
  bool ignore_daemon_sets = false;                 // in the utilisation
  bool ignore_mirror_pods = false;
  TimeNs system_pod_hold = 60 * kAutoscaleMinute;  // kube-system pods without a PDB stay this long
  bool operator==(const ScaleDownConf&) const = default;
};

// What the scheduler conf says about autoscaling, typed; the defaults are those of the reference
// (3.6 and 4.3).
struct AutoscaleConf {
  AutoscaleMode mode = AutoscaleMode::kRecommend;
  TimeNs interval = 10 * kAutoscaleSecond;
  std::vector<ExpanderKind> expanders = {ExpanderKind::kLeastWaste};
  // Of kPriority: what is searched for in the group's name.
  std::map<std::int64_t, std::vector<Pattern>> priorities;
  std::uint64_t random_seed = 1;  // of kRandom
  ScaleDownConf scale_down;
  BackoffConf backoff;
  std::int64_t max_nodes_total = 0;  // of the cluster, all nodes counted; 0: no limit
  std::int64_t max_nodes_per_scale_up = 1000;
  TimeNs provision_time = 15 * kAutoscaleMinute;       // a request that is not met by then failed
  TimeNs startup_time = 15 * kAutoscaleMinute;         // a new node may be unready this long
  TimeNs stabilization_window = 5 * kAutoscaleMinute;  // an unready node keeps its slack this long
  bool balance_similar_groups = false;
  bool enforce_min_size = false;
  // Above both, the cluster is unhealthy and nothing is decided.
  std::int64_t max_unready_percent = 45;
  std::int64_t ok_unready_nodes = 3;
  bool operator==(const AutoscaleConf&) const = default;
};

}  // namespace batholith
