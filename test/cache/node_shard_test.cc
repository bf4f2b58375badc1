#include "cache/node_shard.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "cache/snapshot_builder.h"

namespace batholith {
namespace {

NodeShardRecord Shard(const std::string& name, std::vector<std::string> nodes,
                      std::vector<std::string> in_use, std::vector<std::string> to_add = {}) {
  NodeShardRecord out;
  out.meta.name = name;
  out.nodes = std::move(nodes);
  out.in_use = std::move(in_use);
  out.to_add = std::move(to_add);
  return out;
}

std::optional<ShardStatus> StatusOf(std::vector<NodeShardRecord> shards,
                                    Sharding mode = Sharding::kHard) {
  auto objects = std::make_shared<ClusterObjects>();
  objects->node_shards = std::move(shards);
  SnapshotOptions options;
  options.scope.sharding = mode;
  options.scope.shard = "mine";
  return BuildSnapshot(objects, options)->shard;
}

TEST(NodeShard, what_another_shard_uses_is_waited_for_and_the_rest_is_used) {
  const NodeShardRecord other = Shard("other", {"b"}, {"b", "c"});
  const ShardStatus wanted{"mine", {"a", "d"}, {"b"}};
  EXPECT_EQ(StatusOf({Shard("mine", {"d", "b", "a"}, {}), other}), wanted);
  // Nodes that are no longer listed are used no longer.
  EXPECT_EQ(StatusOf({Shard("mine", {"d", "b", "a"}, {"a", "c", "d"}, {"b"}), other}), wanted);
  // It says so already, in whatever order.
  EXPECT_EQ(StatusOf({Shard("mine", {"d", "b", "a"}, {"d", "a"}, {"b"}), other}), std::nullopt);
}

TEST(NodeShard, nothing_is_told_without_a_shard_of_ours_or_without_shards) {
  EXPECT_EQ(StatusOf({Shard("other", {"a"}, {})}), std::nullopt);
  EXPECT_EQ(StatusOf({Shard("mine", {"a"}, {})}, Sharding::kNone), std::nullopt);
}

}  // namespace
}  // namespace batholith
