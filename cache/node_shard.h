#pragma once

#include "api/node_scope.h"
#include "api/snapshot.h"

namespace batholith {

// Whether the scheduler is to know the node at all. Cost: O(labels of the scope).
bool IsInScope(const NodeRecord& node, const NodeScope& scope);

// Marks the nodes of other shards: closed where sharding is hard. A node is of the shard that lists
// it, unless another one says that it still uses it. REQUIRES: the nodes are there. Cost: none
// without sharding.
void MarkShard(const NodeScope& scope, Snapshot& snapshot);

}  // namespace batholith
