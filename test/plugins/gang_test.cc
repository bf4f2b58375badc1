#include "plugins/gang/gang.h"

#include <gtest/gtest.h>

#include "test/plugins/plugin_world.h"

namespace batholith {
namespace {

TEST(Gang, SparesTheMinimumFirstCandidatesFall) {
  PluginWorld world;
  world.AddNode("n1", 8000);
  world.AddGroup("a", 2);
  for (int i = 0; i < 4; ++i) world.AddPod("a", "n1");
  world.Open(GangPlugin());
  const auto candidates = PluginWorld::Tasks({3, 2, 1, 0});
  EXPECT_EQ(world.As<Preemptable>().PreemptVictims(TaskIndex(0), candidates),
            PluginWorld::Tasks({3, 2}));
}

TEST(Gang, SparesTheMinimumOfARole) {
  PluginWorld world;
  world.AddNode("n1", 8000);
  world.AddGroup("a", 2).min_task_member = {{"ps", 1}, {"", 1}};
  world.AddPod("a", "n1", "ps");
  for (int i = 0; i < 3; ++i) world.AddPod("a", "n1");
  world.Open(GangPlugin());
  const auto candidates = PluginWorld::Tasks({0, 3, 2, 1});
  EXPECT_EQ(world.As<Reclaimable>().ReclaimVictims(TaskIndex(0), candidates),
            PluginWorld::Tasks({3, 2}));
}

TEST(Gang, RoleMinimumsAboveTheJobsDoNotBind) {
  PluginWorld world;
  world.AddNode("n1", 8000);
  world.AddGroup("a", 1).min_task_member = {{"ps", 1}, {"worker", 1}};
  world.AddPod("a", "n1", "worker");
  world.Open(GangPlugin());
  EXPECT_TRUE(world.As<JobReady>().IsJobReady(JobIndex(0)));
  EXPECT_TRUE(world.As<JobValid>().ValidateJob(JobIndex(0)).ok());
}

TEST(Gang, AMissingRoleIsNotReady) {
  PluginWorld world;
  world.AddNode("n1", 8000);
  world.AddGroup("a", 2).min_task_member = {{"ps", 1}, {"worker", 1}};
  world.AddPod("a", "n1", "worker");
  world.AddPod("a", "n1", "worker");
  world.Open(GangPlugin());
  EXPECT_FALSE(world.As<JobReady>().IsJobReady(JobIndex(0)));
  EXPECT_EQ(world.As<JobPipelined>().IsJobPipelined(JobIndex(0)), Vote::kReject);
  EXPECT_EQ(world.As<JobValid>().ValidateJob(JobIndex(0)).reason, Reason::kNotEnoughTasksOfRole);
  EXPECT_FALSE(world.As<JobStarving>().IsJobStarving(JobIndex(0)));  // roles do not count here
}

TEST(Gang, SubGroupsOfAPolicyAreKeptWhole) {
  PluginWorld world;
  world.AddNode("n1", 8000);
  SubGroupPolicy policy;
  policy.name = "p";
  policy.sub_group_size = 2;
  policy.min_sub_groups = 1;
  policy.match_label_keys = {"g"};
  world.AddGroup("a", 2).sub_group_policies = {policy};
  for (const char* group : {"x", "x", "y", "y"}) world.AddPod("a", "n1").meta.labels["g"] = group;
  world.Open(GangPlugin());
  EXPECT_TRUE(world.As<JobReady>().IsJobReady(JobIndex(0)));
  // One pod breaks group x, which may go; then group y must stay, and x has one left.
  const auto candidates = PluginWorld::Tasks({0, 2, 1, 3});
  EXPECT_EQ(world.As<Preemptable>().PreemptVictims(TaskIndex(0), candidates),
            PluginWorld::Tasks({0, 1}));
}

}  // namespace
}  // namespace batholith
