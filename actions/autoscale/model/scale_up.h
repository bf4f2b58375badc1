#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "actions/autoscale/model/conf.h"
#include "actions/autoscale/model/input.h"
#include "actions/autoscale/model/reason.h"

namespace batholith {

// New nodes of one group by what they are for.
struct GroupGrowth {
  std::int64_t pods = 0;
  std::int64_t slack = 0;
  std::int64_t min_size = 0;
  std::int64_t total() const { return pods + slack + min_size; }
  bool operator==(const GroupGrowth&) const = default;
};

struct UnmetCount {
  std::int64_t pods = 0;
  std::int64_t slack = 0;
  bool operator==(const UnmetCount&) const = default;
};

struct UnfitGang {
  std::size_t gang = 0;
  ScaleReason cause = ScaleReason::kNone;  // of the first member without a place
  bool operator==(const UnfitGang&) const = default;
};

// What stands before anything is planned. By group unless said otherwise.
struct ScaleUpBase {
  std::vector<std::int64_t> sizes;       // nodes that will stay, those on their way counted
  std::vector<std::int64_t> upcoming;    // of them, not ready yet
  std::vector<std::int64_t> slack_hold;  // nodes that just became unready: their slack waits
  std::vector<ScaleReason> closed;       // why nothing can be added; kNone: something can
  std::vector<bool> landing;             // by node: pods can be placed there
  std::vector<bool> fresh;               // by node: came lately
};

struct ScaleUpPlan {
  std::vector<GroupGrowth> growth;
  std::map<ScaleReason, UnmetCount> unmet;
  std::vector<UnfitGang> unfit_gangs;
  std::vector<bool> needed;  // by node: demand is thought to land there
  std::uint64_t draws = 0;   // of expander random, counted on
};

// Where the demand goes: gangs first, all or nothing, then single pods, then placeholders; each
// onto nodes that stand or are on their way and then onto new ones, of the groups that the
// expanders choose. Single pods and placeholders may land on nodes without pods only: where there
// is room on others, the scheduler has refused it. Cost: O(groups × shapes × runs of equal new
// nodes) and O(shapes × nodes) arithmetic; gangs that look alike fail once.
ScaleUpPlan PlanScaleUp(const AutoscaleInput& input, const AutoscaleConf& conf,
                        const ScaleUpBase& base, std::uint64_t draws);

}  // namespace batholith
