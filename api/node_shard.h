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
  std::vector<std::string> to_add;  // status.nodesToAdd
  bool operator==(const NodeShardRecord&) const = default;
};

// What is to be written of our own one. Source: what Volcano's scheduler writes.
struct ShardStatus {
  std::string name;
  std::vector<std::string> in_use;  // those listed that no other one uses still, sorted
  std::vector<std::string> to_add;  // those listed that another one does, sorted
  bool operator==(const ShardStatus&) const = default;
};

}  // namespace batholith
