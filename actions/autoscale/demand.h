#pragma once

#include <map>
#include <string>
#include <vector>

#include "actions/autoscale/groups.h"
#include "actions/autoscale/model/input.h"
#include "framework/session.h"

namespace batholith {

// Who looks for a place in thought: pods of one class, or the placeholders of one source.
struct ShapeOwner {
  TaskIndex sample;               // a pod like them; none: no constraints
  std::size_t source = SIZE_MAX;  // in the slack report; SIZE_MAX: real pods
};

// Fills the shapes and the demand of the input: tasks that found no node, groups that wait for room
// to be admitted, and placeholders without a place. What a queue, a quota, a gate or an order holds
// back is counted as queue limited only. Shapes of placed placeholders are there, too. Returns the
// owner of each shape.
std::vector<ShapeOwner> CollectDemand(const Session& session, const SessionGroups& groups,
                                      AutoscaleInput& input);

}  // namespace batholith
