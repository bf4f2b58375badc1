#include "cache/node_shard.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "api/sort_unique.h"

namespace batholith {

bool IsInScope(const NodeRecord& node, const NodeScope& scope) {
  return scope.labels.empty() || std::ranges::any_of(scope.labels, [&](const auto& label) {
           const auto it = node.meta.labels.find(label.first);
           return it != node.meta.labels.end() && it->second == label.second;
         });
}

namespace {

// What the schedulers of the other shards are to know: which nodes are used by now.
void TellUse(const NodeShardRecord& shard, const std::set<std::string_view>& own,
             Snapshot& snapshot) {
  ShardStatus status{.name = shard.meta.name, .in_use = {own.begin(), own.end()}, .to_add = {}};
  for (const std::string& node : shard.nodes) {
    if (!own.contains(node)) status.to_add.push_back(node);
  }
  SortUnique(status.to_add);
  const auto same = [](std::vector<std::string> seen, const std::vector<std::string>& wanted) {
    SortUnique(seen);
    return seen == wanted;
  };
  if (same(shard.in_use, status.in_use) && same(shard.to_add, status.to_add)) return;
  snapshot.shard = std::move(status);
}

}  // namespace

void MarkShard(const NodeScope& scope, Snapshot& snapshot) {
  if (scope.sharding == Sharding::kNone) return;
  std::set<std::string_view> own;
  const NodeShardRecord* found = nullptr;
  for (const NodeShardRecord& shard : snapshot.objects->node_shards) {
    if (shard.meta.name != scope.shard) continue;
    found = &shard;
    own.insert(shard.nodes.begin(), shard.nodes.end());
  }
  for (const NodeShardRecord& shard : snapshot.objects->node_shards) {
    if (shard.meta.name == scope.shard) continue;
    for (const std::string& node : shard.in_use) own.erase(node);
  }
  if (found == nullptr) {
    snapshot.notices.push_back("NodeShard " + scope.shard + " does not exist: no node is in it");
  } else {
    TellUse(*found, own, snapshot);
  }
  snapshot.soft_shard = scope.sharding == Sharding::kSoft;
  for (NodeFacts& node : snapshot.nodes) {
    node.off_shard = !own.contains(node.record->meta.name);
    if (!snapshot.soft_shard) node.closed = node.closed || node.off_shard;
  }
}

}  // namespace batholith
