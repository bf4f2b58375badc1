#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "actions/autoscale/model/conf.h"
#include "actions/autoscale/model/drain_simulation.h"
#include "actions/autoscale/model/input.h"
#include "actions/autoscale/model/memory.h"

namespace batholith {

enum class RemovalReason : std::uint8_t { kEmpty, kUnderutilized, kUnready };
std::string_view RemovalReasonName(RemovalReason reason);

// Why no node goes now although clocks run.
enum class ScaleDownHold : std::uint8_t {
  kNone,
  kDisabled,
  kAfterStart,
  kAfterScaleUp,
  kAfterDelete,
  kAfterFailure,
  kClusterUnhealthy,
};

struct NodeRemoval {
  std::size_t node = 0;
  std::string name;
  std::size_t group = 0;
  RemovalReason reason = RemovalReason::kEmpty;
  bool risky = false;          // disruption budgets let its pods go only one after another
  bool drains = false;         // it has pods that have to go first
  std::vector<PodMove> moves;  // where they have room
  bool operator==(const NodeRemoval&) const = default;
};

struct ScaleDownBase {
  std::vector<std::int64_t> sizes;   // by group: nodes that will stay
  std::vector<std::int64_t> floors;  // by group: it does not go below, beside its min; may be empty
  std::vector<bool> going;           // by node: it is being taken out
  std::vector<bool> needed;          // by node: demand is thought to land there
};

struct ScaleDownPlan {
  std::vector<NodeRemoval> removals;
  std::vector<std::size_t> unneeded;  // nodes that could go, in the order of the simulation
  std::map<KeepReason, std::int64_t> blocked;  // nodes of groups that cannot, by reason
  ScaleDownHold hold = ScaleDownHold::kNone;
};

// The hold that the cooldowns give, the first that applies.
ScaleDownHold HoldOf(const AutoscaleMemory& memory, const ScaleDownConf& conf, TimeNs now);

// Finds the nodes that are not needed, keeps their clocks in `memory`, and takes those out whose
// time has come. Candidates in a fixed order: without pods first, then those that were unneeded
// before, then the youngest, then by name. Cost: O(nodes log nodes), and the simulation of at most
// max_candidates nodes with pods.
ScaleDownPlan PlanScaleDown(const AutoscaleInput& input, const ScaleDownConf& conf,
                            const ScaleDownBase& base, AutoscaleMemory& memory, TimeNs now);

}  // namespace batholith
