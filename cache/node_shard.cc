#include "cache/node_shard.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

namespace batholith {

bool IsInScope(const NodeRecord& node, const NodeScope& scope) {
  return scope.labels.empty() || std::ranges::any_of(scope.labels, [&](const auto& label) {
           const auto it = node.meta.labels.find(label.first);
           return it != node.meta.labels.end() && it->second == label.second;
         });
}

void MarkShard(const NodeScope& scope, Snapshot& snapshot) {
  if (scope.sharding == Sharding::kNone) return;
  std::set<std::string_view> own;
  bool found = false;
  for (const NodeShardRecord& shard : snapshot.objects->node_shards) {
    if (shard.meta.name != scope.shard) continue;
    found = true;
    own.insert(shard.nodes.begin(), shard.nodes.end());
  }
  for (const NodeShardRecord& shard : snapshot.objects->node_shards) {
    if (shard.meta.name == scope.shard) continue;
    for (const std::string& node : shard.in_use) own.erase(node);
  }
  if (!found)
    snapshot.notices.push_back("NodeShard " + scope.shard + " does not exist: no node is in it");
  snapshot.soft_shard = scope.sharding == Sharding::kSoft;
  for (NodeFacts& node : snapshot.nodes) {
    node.off_shard = !own.contains(node.record->meta.name);
    if (!snapshot.soft_shard) node.closed = node.closed || node.off_shard;
  }
}

}  // namespace batholith
