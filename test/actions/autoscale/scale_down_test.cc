#include "actions/autoscale/model/scale_down.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "actions/autoscale/model/decide.h"
#include "actions/autoscale/model/describe.h"
#include "test/actions/autoscale/autoscale_env.h"

namespace batholith {
namespace {

// All nodes of the cluster have been unneeded for an hour.
AutoscaleMemory LongUnneeded(const TestCluster& cluster) {
  AutoscaleMemory memory = LongRunning(kAutoscaleNow);
  for (const AutoscaleNode& node : cluster.input.nodes) {
    memory.nodes[node.name].unneeded_since = kAutoscaleNow - Minutes(60);
  }
  return memory;
}

AutoscaleDecision DecidedUnneeded(TestCluster& cluster, AutoscaleConf conf = {}) {
  conf.mode = AutoscaleMode::kApply;
  return Decide(cluster.Ready(), conf, LongUnneeded(cluster), kAutoscaleNow);
}

std::vector<std::string> NamesOf(const std::vector<NodeRemoval>& removals) {
  std::vector<std::string> names;
  for (const NodeRemoval& removal : removals) names.push_back(removal.name);
  return names;
}

using Names = std::vector<std::string>;

TEST(AutoscaleScaleDown, empty_nodes_go_first_and_the_youngest_of_equals) {
  TestCluster cluster;
  cluster.AddGroup("g", 2, 10, 5);
  cluster.AddNode("old", 0, 100);
  cluster.AddNode("young", 0, 300);
  cluster.AddNode("middle", 0, 200);
  cluster.AddPod(cluster.AddNode("light", 0, 400), Amounts(100, 100, 1));
  cluster.AddPod(cluster.AddNode("heavy", 0, 500), Amounts(3000, 100, 1));
  // Five nodes, two have to stay: heavy is used, and of the four others the oldest empty one goes
  // last; the drain comes after the empty ones and is beyond the minimum.
  EXPECT_EQ(NamesOf(DecidedUnneeded(cluster).removals), (Names{"young", "middle", "old"}));
}

TEST(AutoscaleScaleDown, at_most_one_node_drains_and_says_where_its_pods_have_room) {
  TestCluster cluster;
  cluster.AddGroup("g", 0, 10, 3);
  for (const char* name : {"a", "b"}) {
    cluster.AddPod(cluster.AddNode(name, 0), Amounts(500, 512, 1));
  }
  cluster.AddPod(cluster.AddNode("base", 0), Amounts(2500, 512, 1));
  const AutoscaleDecision decision = DecidedUnneeded(cluster);
  EXPECT_EQ(NamesOf(decision.removals), (Names{"a"}));
  EXPECT_EQ(decision.unneeded, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(decision.removals[0].moves, (std::vector<PodMove>{{.pod = 0, .node = 2}}));
  EXPECT_EQ(decision.groups[0].recommended, 2);
  EXPECT_EQ(DescribeRemoval(decision.removals[0], decision.groups[0]),
            "a of g goes: underutilized, 1 pod to move");
}

TEST(AutoscaleScaleDown, moves_add_up_so_that_two_nodes_do_not_count_on_the_same_room) {
  TestCluster cluster;
  cluster.AddGroup("g", 0, 10, 3);
  for (const char* name : {"a", "b"}) {
    cluster.AddPod(cluster.AddNode(name, 0), Amounts(1000, 512, 1));
  }
  cluster.AddPod(cluster.AddNode("base", 0), Amounts(2500, 512, 1));
  // base has 1500m left: for the pod of a, not for that of b as well; and a is gone.
  const AutoscaleDecision decision = DecidedUnneeded(cluster);
  EXPECT_EQ(decision.unneeded, (std::vector<std::size_t>{0}));
  EXPECT_EQ(decision.blocked.at(KeepReason::kNoPlaceToMovePods), 1);
}

TEST(AutoscaleScaleDown, a_node_that_drains_now_keeps_its_room_elsewhere) {
  TestCluster cluster;
  cluster.AddGroup("g", 0, 10, 3);
  for (const char* name : {"a", "b"}) {
    cluster.AddPod(cluster.AddNode(name, 0), Amounts(1000, 512, 1));
  }
  cluster.AddPod(cluster.AddNode("base", 0), Amounts(2500, 512, 1));
  cluster.input.nodes[0].deleting = true;
  EXPECT_EQ(DecidedUnneeded(cluster).blocked.at(KeepReason::kNoPlaceToMovePods), 1);
}

TEST(AutoscaleScaleDown, disruption_budgets_are_spent_over_all_candidates) {
  TestCluster cluster;
  cluster.AddGroup("g", 0, 10, 3);
  for (const char* name : {"a", "b"}) {
    const std::size_t n = cluster.AddNode(name, 0);
    cluster.AddPod(n, Amounts(100, 128, 1));
    cluster.pods[n].back().drain.pdbs = {{.name = "default/one", .allowed = 1}};
  }
  cluster.AddPod(cluster.AddNode("base", 0), Amounts(2500, 512, 1));
  const AutoscaleDecision decision = DecidedUnneeded(cluster);
  EXPECT_EQ(decision.unneeded, (std::vector<std::size_t>{0}));
  EXPECT_EQ(decision.blocked.at(KeepReason::kNotEnoughPdb), 1);
}

TEST(AutoscaleScaleDown, spare_members_of_a_gang_are_spent_over_all_candidates) {
  TestCluster cluster;
  cluster.AddGroup("g", 0, 10, 3);
  for (const char* name : {"a", "b"}) {
    const std::size_t n = cluster.AddNode(name, 0);
    cluster.AddPod(n, Amounts(100, 128, 1));
    cluster.pods[n].back().drain.gang = {.name = "team/gang", .running = 5, .min_available = 4};
  }
  cluster.AddPod(cluster.AddNode("base", 0), Amounts(2500, 512, 1));
  EXPECT_EQ(DecidedUnneeded(cluster).blocked.at(KeepReason::kGangWouldBreak), 1);
  for (auto& [n, pods] : cluster.pods) {
    if (pods[0].drain.gang) pods[0].drain.gang->restartable = true;
  }
  EXPECT_EQ(DecidedUnneeded(cluster).unneeded.size(), 2U);
}

TEST(AutoscaleScaleDown, real_pods_do_not_move_into_room_of_placeholders) {
  TestCluster cluster;
  cluster.AddGroup("g", 0, 10, 2);
  cluster.AddPod(cluster.AddNode("a", 0), Amounts(1000, 512, 1));
  const std::size_t base = cluster.AddNode("base", 0);
  cluster.AddPod(base, Amounts(2500, 512, 1));
  const std::size_t chunk = cluster.AddShape(Amounts(800, 512));
  EXPECT_EQ(DecidedUnneeded(cluster).unneeded.size(), 1U);
  cluster.AddPlaceholders(base, chunk, 1);
  EXPECT_EQ(DecidedUnneeded(cluster).blocked.at(KeepReason::kNoPlaceToMovePods), 1);
}

TEST(AutoscaleScaleDown, lone_placeholders_do_not_share_a_node) {
  TestCluster cluster;
  cluster.AddGroup("g", 0, 10, 2);
  const std::size_t chunk = cluster.AddShape(Amounts(100, 128));
  cluster.input.shapes[chunk].one_per_node = true;
  for (const char* name : {"a", "b"}) cluster.AddPlaceholders(cluster.AddNode(name, 0), chunk, 1);
  EXPECT_EQ(DecidedUnneeded(cluster).blocked.at(KeepReason::kNoPlaceToMoveSlack), 2);
}

TEST(AutoscaleScaleDown, a_node_that_cannot_go_is_not_asked_again_for_a_while) {
  TestCluster cluster;
  cluster.AddGroup("g", 0, 10, 2);
  cluster.AddPod(cluster.AddNode("a", 0), Amounts(1000, 512, 1));
  cluster.pods[0][0].drain.owner_kind = "";
  AutoscaleDecision decision = DecidedUnneeded(cluster);
  EXPECT_EQ(decision.blocked.at(KeepReason::kNotReplicated), 1);
  decision =
      Decide(cluster.Ready(), AutoscaleConf(), decision.memory, kAutoscaleNow + Minutes(5) - 1);
  EXPECT_EQ(decision.blocked.at(KeepReason::kRecentlyUnremovable), 1);
  decision = Decide(cluster.Ready(), AutoscaleConf(), decision.memory, kAutoscaleNow + Minutes(5));
  EXPECT_EQ(decision.blocked.at(KeepReason::kNotReplicated), 1);
}

TEST(AutoscaleScaleDown, nothing_goes_within_the_delay_after_a_start) {
  TestCluster cluster;
  cluster.AddGroup("g", 0, 10, 1);
  cluster.AddNode("a", 0);
  AutoscaleConf conf;
  conf.mode = AutoscaleMode::kApply;
  conf.scale_down.unneeded_time = Minutes(1);
  AutoscaleDecision decision = Decide(cluster.Ready(), conf, {}, kAutoscaleNow);
  decision = Decide(cluster.Ready(), conf, decision.memory, kAutoscaleNow + Minutes(10) - 1);
  EXPECT_EQ(decision.hold, ScaleDownHold::kAfterStart);
  EXPECT_TRUE(decision.removals.empty());
  decision = Decide(cluster.Ready(), conf, decision.memory, kAutoscaleNow + Minutes(10));
  EXPECT_EQ(NamesOf(decision.removals), (Names{"a"}));
}

TEST(AutoscaleScaleDown, a_node_goes_once_and_a_failed_removal_holds_the_others) {
  TestCluster cluster;
  cluster.AddGroup("g", 0, 10, 2);
  cluster.AddNode("a", 0);
  AutoscaleDecision decision = DecidedUnneeded(cluster);
  ASSERT_EQ(NamesOf(decision.removals), (Names{"a"}));
  cluster.input.groups[0].target = 1;
  AutoscaleConf conf;
  conf.mode = AutoscaleMode::kApply;
  EXPECT_TRUE(Decide(cluster.Ready(), conf, decision.memory, kAutoscaleNow + 1).removals.empty());
  RecordRemovalFailure(decision.memory, "a", kAutoscaleNow);
  decision.memory.nodes["a"].unneeded_since = kAutoscaleNow - Minutes(60);
  decision = Decide(cluster.Ready(), conf, decision.memory, kAutoscaleNow + Minutes(3) - 1);
  EXPECT_EQ(decision.hold, ScaleDownHold::kAfterFailure);
}

// The target may be lowered at once, after the drain, or late: it is one removal.
TEST(AutoscaleScaleDown, a_removal_is_neither_growth_nor_a_node_on_its_way) {
  for (const int way : {0, 1, 2}) {
    SCOPED_TRACE(way);
    TestCluster cluster;
    cluster.AddGroup("g", 0, 10, 2);
    cluster.AddNode("a", 0);
    cluster.AddPod(cluster.AddNode("b", 0), Amounts(4000, 512, 1));
    AutoscaleDecision decision = DecidedUnneeded(cluster);
    ASSERT_EQ(NamesOf(decision.removals), (Names{"a"}));
    if (way == 0) cluster.input.groups[0].target = 1;
    if (way == 1) {
      cluster.input.nodes[0].deleting = true;
      cluster.input.groups[0].deletions_in_target = 1;
    }
    cluster.AddDemand(cluster.AddShape(Amounts(4000, 512, 1)), 1);
    AutoscaleConf conf;
    conf.mode = AutoscaleMode::kApply;
    decision = Decide(cluster.Ready(), conf, decision.memory, kAutoscaleNow + 1);
    EXPECT_EQ(decision.memory.groups["g"].last_size, 2);
    EXPECT_EQ(decision.groups[0].recommended, way == 1 ? 3 : 2);
    EXPECT_EQ(decision.groups[0].growth.pods, 1);  // a is on its way out, nothing is on its way in
  }
}

TEST(AutoscaleScaleDown, nodes_outside_of_open_groups_stay) {
  TestCluster cluster;
  cluster.AddGroup("paused", 0, 10, 1);
  cluster.input.groups[0].paused = "rollout";
  cluster.AddNode("a", 0);
  cluster.AddNode("alone", AutoscaleNode::kNoGroup);
  const AutoscaleDecision decision = DecidedUnneeded(cluster);
  EXPECT_TRUE(decision.unneeded.empty());
  EXPECT_TRUE(decision.blocked.empty());
}

TEST(AutoscaleScaleDown, only_so_many_nodes_with_pods_are_simulated) {
  TestCluster cluster;
  cluster.AddGroup("g", 0, 100, 50);
  for (int i = 0; i < 50; ++i) {
    cluster.AddPod(cluster.AddNode(fmt::format("n{:02}", i), 0), Amounts(10, 10, 1));
  }
  int asked = 0;
  AutoscaleInput input = cluster.Ready();
  input.pods_of = [&](std::size_t n) {
    ++asked;
    return cluster.pods[n];
  };
  AutoscaleConf conf;
  const AutoscaleDecision decision = Decide(input, conf, LongUnneeded(cluster), kAutoscaleNow);
  EXPECT_EQ(asked, 30);
  EXPECT_EQ(decision.unneeded.size(), 30U);
}

}  // namespace
}  // namespace batholith
