#pragma once

#include <string>
#include <vector>

#include "api/objects.h"

namespace batholith {

// shard.volcano.sh NodeShard: which nodes the scheduler of its name is to use.
struct NodeShardRecord {
  ObjectMeta meta;
  std::vector<std::string> nodes;   // spec.nodesDesired
  std::vector<std::string> in_use;  // status.nodesInUse
  bool operator==(const NodeShardRecord&) const = default;
};

}  // namespace batholith
