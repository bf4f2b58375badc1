#include "actions/autoscale/model/decide.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "actions/autoscale/model/describe.h"
#include "test/actions/autoscale/autoscale_env.h"

namespace batholith {
namespace {

const ResourceVector kWholeNode = Amounts(4000, 16384);

AutoscaleConf Applying() {
  AutoscaleConf conf;
  conf.mode = AutoscaleMode::kApply;
  return conf;
}

AutoscaleDecision Decided(TestCluster& cluster, const AutoscaleConf& conf = Applying()) {
  return Decide(cluster.Ready(), conf, LongRunning(kAutoscaleNow), kAutoscaleNow);
}

TEST(AutoscaleDecide, placeholders_use_what_real_pods_leave_of_new_nodes) {
  TestCluster cluster;
  cluster.AddGroup("g", 0, 10, 0);
  const std::size_t pod = cluster.AddShape(Amounts(3000, 4096, 1));
  const std::size_t chunk = cluster.AddShape(Amounts(1000, 1024));
  cluster.AddDemand(chunk, 3, DemandOrigin::kSlack);
  cluster.AddDemand(pod, 2);
  // Two nodes for the pods, each with 1000m left: the third chunk needs a node of its own.
  const AutoscaleDecision decision = Decided(cluster);
  EXPECT_EQ(decision.groups[0].growth, (GroupGrowth{.pods = 2, .slack = 1, .min_size = 0}));
  EXPECT_EQ(DescribeGroup(decision.groups[0]), "g: 0 → 3 nodes, 2 for pods, 1 for slack");
}

TEST(AutoscaleDecide, the_last_node_goes_to_real_pods) {
  TestCluster cluster;
  cluster.AddGroup("g", 0, 1, 0);
  const std::size_t shape = cluster.AddShape(Amounts(4000, 4096, 1));
  cluster.AddDemand(shape, 1, DemandOrigin::kSlack);
  cluster.AddDemand(shape, 1);
  const AutoscaleDecision decision = Decided(cluster);
  EXPECT_EQ(decision.groups[0].growth.pods, 1);
  EXPECT_EQ(decision.unmet.at(ScaleReason::kGroupAtMax), (UnmetCount{.pods = 0, .slack = 1}));
}

TEST(AutoscaleDecide, a_gang_uses_room_that_is_there_and_asks_for_the_rest) {
  TestCluster cluster;
  cluster.AddGroup("g", 0, 4, 2);
  for (const char* name : {"a", "b"}) cluster.AddPod(cluster.AddNode(name, 0), Amounts(2000, 0, 1));
  const std::size_t member = cluster.AddShape(Amounts(2000, 1024, 1));
  cluster.AddGang("team/six", member, 6, 6);
  // Two of the six have room on a and b, two fit a new node: two new ones, which is the max.
  EXPECT_EQ(Decided(cluster).groups[0].growth.pods, 2);
  cluster.input.demand[0].required = 7;
  cluster.input.demand[0].count = 7;
  const AutoscaleDecision decision = Decided(cluster);
  EXPECT_EQ(decision.groups[0].growth.pods, 0);
  EXPECT_EQ(decision.unfit_gangs,
            (std::vector<UnfitGang>{{.gang = 0, .cause = ScaleReason::kGroupAtMax}}));
  EXPECT_EQ(decision.unmet.at(ScaleReason::kGangDoesNotFit).pods, 7);
}

TEST(AutoscaleDecide, members_beyond_the_minimum_ask_only_where_the_gang_can_start) {
  TestCluster cluster;
  cluster.AddGroup("g", 0, 3, 0);
  const std::size_t member = cluster.AddShape(Amounts(4000, 1024, 1));
  cluster.AddGang("team/elastic", member, 2, 5);
  const AutoscaleDecision decision = Decided(cluster);
  EXPECT_EQ(decision.groups[0].growth.pods, 3);
  EXPECT_EQ(decision.unmet.at(ScaleReason::kGroupAtMax).pods, 2);
}

TEST(AutoscaleDecide, a_gang_may_span_groups) {
  TestCluster cluster;
  cluster.AddGroup("a", 0, 2, 0);
  cluster.AddGroup("b", 0, 2, 0);
  const std::size_t member = cluster.AddShape(Amounts(4000, 1024, 1));
  cluster.AddGang("team/wide", member, 3, 3);
  const AutoscaleDecision decision = Decided(cluster);
  EXPECT_EQ(decision.groups[0].growth.pods, 2);
  EXPECT_EQ(decision.groups[1].growth.pods, 1);
}

TEST(AutoscaleDecide, nodes_of_the_whole_cluster_are_limited) {
  TestCluster cluster;
  cluster.AddGroup("g", 0, 10, 1);
  cluster.AddPod(cluster.AddNode("n0", 0), kWholeNode);
  cluster.AddPod(cluster.AddNode("alone", AutoscaleNode::kNoGroup), kWholeNode);
  cluster.AddDemand(cluster.AddShape(kWholeNode), 5);
  AutoscaleConf conf = Applying();
  conf.max_nodes_total = 4;
  const AutoscaleDecision decision = Decided(cluster, conf);
  EXPECT_EQ(decision.groups[0].recommended, 3);
  EXPECT_EQ(decision.unmet.at(ScaleReason::kMaxNodes).pods, 3);
}

TEST(AutoscaleDecide, a_pod_that_an_empty_node_has_room_for_asks_for_none_and_keeps_that_node) {
  TestCluster cluster;
  cluster.AddGroup("g", 0, 10, 1);
  cluster.AddNode("empty", 0);
  cluster.AddDemand(cluster.AddShape(Amounts(1000, 1024, 1)), 1);
  AutoscaleMemory memory = LongRunning(kAutoscaleNow);
  memory.nodes["empty"].unneeded_since = kAutoscaleNow - Minutes(60);
  const AutoscaleDecision decision = Decide(cluster.Ready(), Applying(), memory, kAutoscaleNow);
  EXPECT_EQ(decision.groups[0].recommended, 1);
  EXPECT_TRUE(decision.removals.empty());
  EXPECT_EQ(decision.blocked.at(KeepReason::kNeededByDemand), 1);
}

TEST(AutoscaleDecide, similar_groups_grow_level_when_asked_to) {
  TestCluster cluster;
  cluster.AddGroup("zone-a", 0, 10, 0);
  cluster.AddGroup("zone-b", 0, 10, 0);
  cluster.AddGroup("large", 0, 10, 0, Amounts(64000, 16384, 110));
  cluster.AddDemand(cluster.AddShape(kWholeNode), 4);
  AutoscaleConf conf = Applying();
  EXPECT_EQ(Decided(cluster, conf).groups[0].growth.pods, 4);
  conf.balance_similar_groups = true;
  const AutoscaleDecision decision = Decided(cluster, conf);
  EXPECT_EQ(decision.groups[0].growth.pods, 2);
  EXPECT_EQ(decision.groups[1].growth.pods, 2);
  EXPECT_EQ(decision.groups[2].growth.pods, 0);
}

TEST(AutoscaleDecide, groups_below_their_minimum_are_lifted_when_asked_to) {
  TestCluster cluster;
  cluster.AddGroup("g", 3, 10, 0);
  cluster.AddDemand(cluster.AddShape(kWholeNode), 4);
  AutoscaleConf conf = Applying();
  EXPECT_EQ(Decided(cluster, conf).groups[0].growth, (GroupGrowth{4, 0, 0}));
  conf.enforce_min_size = true;
  EXPECT_EQ(Decided(cluster, conf).groups[0].growth, (GroupGrowth{1, 0, 3}));
}

TEST(AutoscaleDecide, what_no_group_offers_is_told_by_reason) {
  TestCluster cluster;
  cluster.AddGroup("paused", 0, 10, 0);
  cluster.input.groups[0].paused = "cluster.x-k8s.io/paused";
  const std::size_t shape = cluster.AddShape(kWholeNode);
  cluster.AddDemand(shape, 1);
  EXPECT_EQ(Decided(cluster).unmet.begin()->first, ScaleReason::kPaused);
  cluster.input.shapes[shape].fits_group = {false};
  const AutoscaleDecision decision = Decided(cluster);
  EXPECT_EQ(decision.unmet.begin()->first, ScaleReason::kNoMatchingGroup);
  EXPECT_EQ(DescribeUnmet(ScaleReason::kNoMatchingGroup, decision.unmet.begin()->second),
            "no node for 1 pod: NoMatchingGroup");
}

TEST(AutoscaleDecide, nodes_that_do_not_come_in_time_are_given_up_and_the_group_backs_off) {
  TestCluster cluster;
  cluster.AddGroup("broken", 0, 10, 0);
  cluster.AddGroup("other", 0, 10, 0, Amounts(64000, 65536, 110));
  cluster.AddDemand(cluster.AddShape(kWholeNode), 2);
  const AutoscaleConf conf = Applying();
  AutoscaleDecision decision =
      Decide(cluster.Ready(), conf, LongRunning(kAutoscaleNow), kAutoscaleNow);
  ASSERT_EQ(decision.groups[0].recommended, 2);
  cluster.input.groups[0].target = 2;
  decision = Decide(cluster.Ready(), conf, decision.memory, kAutoscaleNow + Minutes(15));
  EXPECT_EQ(decision.groups[0].recommended, 2);  // not longer than 15 minutes
  decision = Decide(cluster.Ready(), conf, decision.memory, kAutoscaleNow + Minutes(15) + 1);
  EXPECT_EQ(decision.groups[0].given_up, 2);
  EXPECT_EQ(decision.groups[0].recommended, 0);
  EXPECT_EQ(decision.groups[0].closed, ScaleReason::kBackoff);
  EXPECT_EQ(decision.groups[0].backoff_until, kAutoscaleNow + Minutes(20) + 1);
  EXPECT_EQ(decision.groups[1].growth.pods, 1);
  EXPECT_EQ(DescribeGroup(decision.groups[0]),
            "broken: 2 → 0 nodes, 2 given up because they did not come in time, takes no more: "
            "Backoff");
}

TEST(AutoscaleDecide, a_size_that_could_not_be_written_keeps_the_group_out) {
  TestCluster cluster;
  cluster.AddGroup("g", 0, 10, 0);
  cluster.AddDemand(cluster.AddShape(kWholeNode), 1);
  AutoscaleMemory memory = LongRunning(kAutoscaleNow);
  RecordScaleUpFailure(memory, "g", Applying(), kAutoscaleNow);
  AutoscaleDecision decision =
      Decide(cluster.Ready(), Applying(), memory, kAutoscaleNow + Minutes(4));
  EXPECT_EQ(decision.unmet.at(ScaleReason::kBackoff).pods, 1);
  decision = Decide(cluster.Ready(), Applying(), decision.memory, kAutoscaleNow + Minutes(5));
  EXPECT_EQ(decision.groups[0].growth.pods, 1);
}

TEST(AutoscaleDecide, nothing_is_decided_for_an_unhealthy_cluster) {
  TestCluster cluster;
  cluster.AddGroup("g", 0, 10, 8);
  for (int i = 0; i < 8; ++i) {
    const std::size_t n = cluster.AddNode(fmt::format("n{}", i), 0);
    cluster.input.nodes[n].ready = i >= 4;  // 4 of 8: more than 3 and more than 45 %
  }
  cluster.AddDemand(cluster.AddShape(Amounts(1, 1, 200)), 3);
  const AutoscaleDecision decision = Decided(cluster);
  EXPECT_EQ(decision.groups[0].recommended, 8);
  EXPECT_EQ(decision.hold, ScaleDownHold::kClusterUnhealthy);
  EXPECT_EQ(decision.unmet.at(ScaleReason::kClusterUnhealthy).pods, 3);
}

TEST(AutoscaleDecide, slack_of_a_node_that_just_lost_its_readiness_waits_and_pods_do_not) {
  TestCluster cluster;
  cluster.AddGroup("g", 0, 10, 1);
  const std::size_t n = cluster.AddNode("n", 0);
  cluster.input.nodes[n].ready = false;
  const std::size_t shape = cluster.AddShape(kWholeNode);
  cluster.AddDemand(shape, 1, DemandOrigin::kSlack);
  AutoscaleConf conf = Applying();
  conf.mode = AutoscaleMode::kRecommend;
  AutoscaleDecision decision =
      Decide(cluster.Ready(), conf, LongRunning(kAutoscaleNow), kAutoscaleNow);
  EXPECT_EQ(decision.groups[0].growth.slack, 0);
  decision =
      Decide(cluster.Ready(), conf, decision.memory, kAutoscaleNow + conf.stabilization_window);
  EXPECT_EQ(decision.groups[0].growth.slack, 1);
  cluster.input.demand[0].origin = DemandOrigin::kPods;
  EXPECT_EQ(Decided(cluster, conf).groups[0].growth.pods, 1);
}

TEST(AutoscaleDecide, a_new_node_that_is_not_ready_yet_takes_what_it_was_made_for) {
  TestCluster cluster;
  cluster.AddGroup("g", 0, 10, 1);
  const std::size_t n = cluster.AddNode("new", 0, kAutoscaleNow - Seconds(5));
  cluster.input.nodes[n].ready = false;
  cluster.AddDemand(cluster.AddShape(kWholeNode), 1);
  EXPECT_EQ(Decided(cluster).groups[0].growth.pods, 0);
}

TEST(AutoscaleDecide, a_fresh_empty_node_counts_as_its_template_says_whatever_keeps_pods_off_it) {
  TestCluster cluster;
  cluster.AddGroup("g", 0, 10, 1);
  cluster.AddNode("new", 0, kAutoscaleNow - Minutes(1));
  cluster.AddDemand(cluster.AddShape(kWholeNode), 1);
  AutoscaleInput input = cluster.Ready();
  input.shape_fits = [](std::size_t, std::size_t) { return false; };  // a startup taint
  AutoscaleDecision decision = Decide(input, Applying(), LongRunning(kAutoscaleNow), kAutoscaleNow);
  EXPECT_EQ(decision.groups[0].growth.pods, 0);
  decision = Decide(input, Applying(), decision.memory, kAutoscaleNow + Minutes(15));
  EXPECT_EQ(decision.groups[0].growth.pods, 1);
}

TEST(AutoscaleDecide, mode_off_decides_nothing) {
  TestCluster cluster;
  cluster.AddGroup("g", 0, 10, 0);
  cluster.AddDemand(cluster.AddShape(kWholeNode), 1);
  AutoscaleConf conf;
  conf.mode = AutoscaleMode::kOff;
  EXPECT_TRUE(Decided(cluster, conf).groups.empty());
}

TEST(AutoscaleDecide, a_random_expander_chooses_by_its_seed_and_does_not_always_choose_the_same) {
  TestCluster cluster;
  for (const char* name : {"a", "b", "c"}) cluster.AddGroup(name, 0, 100, 0);
  cluster.AddDemand(cluster.AddShape(kWholeNode), 1);
  AutoscaleConf conf = Applying();
  conf.expanders = {ExpanderKind::kRandom};
  AutoscaleMemory memory = LongRunning(kAutoscaleNow);
  std::vector<std::int64_t> chosen(3);
  for (int i = 0; i < 60; ++i) {
    const AutoscaleDecision decision = Decide(cluster.Ready(), conf, memory, kAutoscaleNow);
    EXPECT_EQ(Decide(cluster.Ready(), conf, memory, kAutoscaleNow).memory, decision.memory);
    for (std::size_t g = 0; g < 3; ++g) chosen[g] += decision.groups[g].growth.pods;
    memory.draws = decision.memory.draws;
  }
  for (const std::int64_t times : chosen) EXPECT_GT(times, 5);
}

}  // namespace
}  // namespace batholith
