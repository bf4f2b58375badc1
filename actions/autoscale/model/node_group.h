#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "actions/autoscale/model/reason.h"
#include "api/objects.h"
#include "api/resource_vector.h"

namespace batholith {

// What a new node of a group will be.
struct NodeTemplate {
  ResourceVector capacity;
  ResourceVector allocatable;
  ResourceVector usable;  // allocatable − what DaemonSets and mirror pods take of a new node
  Labels labels;
  std::vector<Taint> taints;
};

// A set of equal machines whose number can be set.
struct NodeGroup {
  std::string name;
  std::int64_t min = 0;
  std::int64_t max = 0;
  std::int64_t target = 0;  // nodes that were asked for
  // Of the nodes that are going, how many `target` still counts; 0 where it is lowered first.
  std::int64_t deletions_in_target = 0;
  std::optional<NodeTemplate> node_template;
  std::string paused;  // why the group is left alone; empty: it is not

  // Nodes that will stay.
  std::int64_t size() const { return target - deletions_in_target; }
};

// kNone, kInvalidBounds (max < 1, max < min, min < 0), kPaused or kNoTemplate.
ScaleReason GroupProblem(const NodeGroup& group);

// Equal machines in different places: equal capacity but for 1.5 % of memory, allocatable and
// usable within 5 %, equal labels but for hostname, zone and region.
bool AreSimilar(const NodeTemplate& a, const NodeTemplate& b);

}  // namespace batholith
