// What the statuses of a session change in the objects, beside what scenarios see.
#include "api/decided.h"

#include <gtest/gtest.h>

#include <string>

namespace batholith {
namespace {

bool ApplyTo(ClusterObjects& objects, const CycleResult& result) {
  return ApplyStatuses(result, objects, FinderIn(objects)).any();
}

TEST(Decided, a_group_says_in_which_hypernode_it_is_until_its_last_pod_has_gone) {
  const std::string key = "volcano.sh/job-allocated-hypernode";
  ClusterObjects objects;
  PodGroupRecord group;
  group.meta.name = "g";
  objects.pod_groups = {group};
  CycleResult result;
  result.jobs.emplace_back().key = "g";
  EXPECT_FALSE(ApplyTo(objects, result));
  result.jobs.front().hyper_node = "rack-1";
  EXPECT_TRUE(ApplyTo(objects, result));
  EXPECT_EQ(objects.pod_groups.front().meta.annotations->at(key), "rack-1");
  EXPECT_FALSE(ApplyTo(objects, result));
  // Nobody knows of any HyperNode: what is there stays.
  result.jobs.front().hyper_node.reset();
  EXPECT_FALSE(ApplyTo(objects, result));
  result.jobs.front().hyper_node = "";
  EXPECT_TRUE(ApplyTo(objects, result));
  EXPECT_FALSE(objects.pod_groups.front().meta.annotations->contains(key));
  EXPECT_FALSE(ApplyTo(objects, result));
}

TEST(Decided, a_shard_says_which_nodes_it_uses) {
  ClusterObjects objects;
  NodeShardRecord mine;
  mine.meta.name = "mine";
  NodeShardRecord other;
  other.meta.name = "other";
  objects.node_shards = {mine, other};
  CycleResult result;
  result.shards = {{"mine", {"n1"}, {"n2"}}};
  EXPECT_TRUE(ApplyTo(objects, result));
  EXPECT_EQ(objects.node_shards[0].in_use, std::vector<std::string>{"n1"});
  EXPECT_EQ(objects.node_shards[0].to_add, std::vector<std::string>{"n2"});
  EXPECT_TRUE(objects.node_shards[1].in_use.empty());
  EXPECT_FALSE(ApplyTo(objects, result));
}

}  // namespace
}  // namespace batholith
