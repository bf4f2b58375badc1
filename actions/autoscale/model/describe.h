#pragma once

#include <string>

#include "actions/autoscale/model/decide.h"

namespace batholith {

// What happens to the group and why, one sentence for logs and recommendations: "cpu-small: 3 → 5
// nodes, 1 for pods, 1 for slack".
std::string DescribeGroup(const GroupDecision& group);

// "no node for 2 pods and 1 placeholder: GroupAtMax".
std::string DescribeUnmet(ScaleReason reason, const UnmetCount& unmet);

// "n7 of cpu-small goes: underutilized, 3 pods to move".
std::string DescribeRemoval(const NodeRemoval& removal, const GroupDecision& group);

}  // namespace batholith
