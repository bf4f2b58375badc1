#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "actions/autoscale/model/conf.h"
#include "actions/autoscale/model/input.h"
#include "actions/autoscale/model/memory.h"
#include "actions/autoscale/model/scale_down.h"
#include "actions/autoscale/model/scale_up.h"

namespace batholith {

// The size that one group should have.
struct GroupDecision {
  std::string name;
  std::int64_t current = 0;  // nodes that are there and not going
  std::int64_t target = 0;   // as it is
  std::int64_t recommended =
      0;  // as it should be: lowered where nodes never came, + growth − removals
  GroupGrowth growth;
  std::int64_t removals = 0;
  std::int64_t given_up = 0;                // nodes that were asked for and did not come in time
  ScaleReason closed = ScaleReason::kNone;  // why nothing can be added
  TimeNs backoff_until = 0;                 // with kBackoff
  bool operator==(const GroupDecision&) const = default;
};

struct AutoscaleDecision {
  std::vector<GroupDecision> groups;  // as in the input
  std::vector<NodeRemoval> removals;
  std::vector<std::size_t> unneeded;           // nodes that could go
  std::map<KeepReason, std::int64_t> blocked;  // nodes that cannot
  ScaleDownHold hold = ScaleDownHold::kNone;   // why no node goes
  std::map<ScaleReason, UnmetCount> unmet;     // demand that gets no node
  std::vector<UnfitGang> unfit_gangs;
  AutoscaleMemory memory;  // what the next decision has to know
};

// One decision about all groups. Pure: equal arguments give equal decisions, with random expanders
// too. In mode apply the memory takes the decision as carried out; what could not be written is
// told with RecordScaleUpFailure and RecordRemovalFailure. A node that a decision took out counts
// as going until it is gone; `target` may be lowered before or after, as deletions_in_target says.
// In mode recommend nothing is expected to happen, and sizes that others change are seen. Mode off
// decides nothing. Decided again with its own result applied and a load that does not change, it
// comes to rest. Cost: see PlanScaleUp and PlanScaleDown.
AutoscaleDecision Decide(const AutoscaleInput& input, const AutoscaleConf& conf,
                         const AutoscaleMemory& before, TimeNs now);

}  // namespace batholith
