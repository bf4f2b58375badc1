#include "cmd/metrics/slack_series.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cmd/metrics/metrics.h"
#include "test/cmd/metrics/samples.h"

namespace batholith {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

std::vector<std::string> SlackSamples(const Metrics& metrics) {
  return Samples(metrics, "batholith_slack_");
}

std::vector<std::string> GroupSamples(const Metrics& metrics) {
  std::vector<std::string> found = Samples(metrics, "batholith_nodegroup_");
  const std::vector<std::string> scale = Samples(metrics, "batholith_scale_");
  found.insert(found.end(), scale.begin(), scale.end());
  return found;
}

// Each placeholder of 500 thousandths of a core and 1 GiB; 2 of 3 have room.
CycleResult SlackResult() {
  CycleResult result;
  SlackReport& slack = result.slack;
  slack.ran = true;
  slack.sources = {{"std", {{"cpu", 500}, {"memory", 1 << 30}}, {"n1", "", "n2"}, "NoRoom", {}}};
  slack.desired = {{"cpu", 1500}, {"memory", 3LL << 30}, {"nvidia.com/gpu", 2000}};
  slack.reserved = {{"cpu", 1000}, {"memory", 2LL << 30}, {"nvidia.com/gpu", 2000}};
  slack.unmet = {{"cpu", 500}, {"memory", 1LL << 30}};
  slack.pushed_out = 1;
  slack.trimmed = 2;
  slack.evaluations = 7;
  return result;
}

// Group a, which has grown by 2 for pods, 1 for slack and 3 to its minimum; group b, of which three
// nodes go; both by order.
CycleResult GroupResult() {
  CycleResult result;
  AutoscaleReport& report = result.autoscale;
  report.ran = true;
  report.groups = {{"a", 6, 10, 3, 3, 9, 2, 1, 3, "", "", ""},
                   {"b", 0, 5, 5, 5, 2, 0, 0, 0, "", "", ""}};
  report.orders.resize(2);
  report.orders[0].group = "a";
  report.orders[0].from = 3;
  report.orders[0].to = 9;
  report.orders[1].group = "b";
  report.orders[1].from = 5;
  report.orders[1].to = 2;
  report.orders[1].removals = {"n1", "n2", "n3"};
  report.orders[1].removal_reasons = {"empty", "unready", "empty"};
  report.blocked = {{"Utilization", 4}};
  report.unneeded = 3;
  report.memory.last_decision = 100;
  return result;
}

// 1500, 1000 and 500 thousandths of a core; 2000 thousandths of a GPU, all of them with room.
TEST(SlackSeries, tell_amounts_in_whole_units) {
  Metrics metrics;
  Observe(metrics, SlackResult());
  EXPECT_THAT(SlackSamples(metrics),
              IsSupersetOf({"batholith_slack_desired{resource=\"cpu\"} 1.5",
                            "batholith_slack_desired{resource=\"memory\"} 3221225472",
                            "batholith_slack_desired{resource=\"nvidia.com/gpu\"} 2",
                            "batholith_slack_reserved{resource=\"cpu\"} 1",
                            "batholith_slack_reserved{resource=\"memory\"} 2147483648",
                            "batholith_slack_unmet{resource=\"cpu\"} 0.5",
                            "batholith_slack_unmet{resource=\"nvidia.com/gpu\"} 0"}));
}

// Of std 2 of 3 have room. Of the two big ones 1, of two mirrors 2 + 0 of 2 + 1, of the buffer 0.
TEST(SlackSeries, add_up_placeholders_of_one_class) {
  Metrics metrics;
  CycleResult result = SlackResult();
  const auto add = [&](const char* name, std::vector<std::string> nodes) {
    result.slack.sources.push_back({name, {}, std::move(nodes), "", {}});
  };
  add("big", {"n1"});
  add("big2", {""});
  add("mirror/shop/web", {"n1", "n1"});
  add("mirror/pods/shop/big2", {""});
  add("buffer/shop/web", {""});
  Observe(metrics, result);
  EXPECT_THAT(
      Samples(metrics, "batholith_slack_placeholders"),
      UnorderedElementsAre("batholith_slack_placeholders{source=\"std\",state=\"placed\"} 2",
                           "batholith_slack_placeholders{source=\"std\",state=\"unplaced\"} 1",
                           "batholith_slack_placeholders{source=\"big\",state=\"placed\"} 1",
                           "batholith_slack_placeholders{source=\"big\",state=\"unplaced\"} 1",
                           "batholith_slack_placeholders{source=\"mirror\",state=\"placed\"} 2",
                           "batholith_slack_placeholders{source=\"mirror\",state=\"unplaced\"} 1",
                           "batholith_slack_placeholders{source=\"buffer\",state=\"placed\"} 0",
                           "batholith_slack_placeholders{source=\"buffer\",state=\"unplaced\"} 1"));
}

// Two sessions: 2 × 1 pushed out, 2 × 2 trimmed, 2 × 7 questions.
TEST(SlackSeries, count_moves_and_questions_of_all_sessions) {
  Metrics metrics;
  Observe(metrics, SlackResult());
  Observe(metrics, SlackResult());
  EXPECT_THAT(Samples(metrics, "batholith_slack_moves_total"),
              UnorderedElementsAre("batholith_slack_moves_total{reason=\"pushed_out\"} 2",
                                   "batholith_slack_moves_total{reason=\"node_gone\"} 0",
                                   "batholith_slack_moves_total{reason=\"resized\"} 0",
                                   "batholith_slack_moves_total{reason=\"trimmed\"} 4"));
  EXPECT_THAT(Samples(metrics, "batholith_slack_fit_evaluations_total"),
              ElementsAre("batholith_slack_fit_evaluations_total 14"));
}

TEST(SlackSeries, are_0_without_placeholders_and_none_without_the_action) {
  Metrics metrics;
  CycleResult result;
  result.slack.ran = true;
  Observe(metrics, result);
  // 3 amounts × (cpu, memory), 4 classes × 2 states, 4 reasons, 1.
  EXPECT_EQ(SlackSamples(metrics).size(), 3U * 2 + 4 * 2 + 4 + 1);
  for (const std::string& sample : SlackSamples(metrics))
    EXPECT_TRUE(sample.ends_with(" 0")) << sample;
  Observe(metrics, SlackResult());
  Observe(metrics, {});
  EXPECT_THAT(SlackSamples(metrics), IsEmpty());
}

// 1 of 3 chunks has no room.
TEST(SlackSeries, tell_chunks_of_buffers) {
  Metrics metrics;
  CycleResult result = SlackResult();
  result.slack.sources.push_back({"buffer/shop/web", {}, {"n1", "", "n1"}, "NoRoom", {}});
  Observe(metrics, result);
  const std::string of_web =
      "batholith_slack_buffer_replicas{buffer=\"web\",namespace=\"shop\",state=";
  EXPECT_THAT(Samples(metrics, "batholith_slack_buffer_replicas"),
              UnorderedElementsAre(of_web + "\"wanted\"} 3", of_web + "\"ready\"} 2"));
  Observe(metrics, SlackResult());
  EXPECT_THAT(Samples(metrics, "batholith_slack_buffer_replicas"), IsEmpty());
}

// 600 buffers: the first 500 have 2 series each, and all count for their class.
TEST(SlackSeries, tell_the_first_buffers_only) {
  Metrics metrics;
  CycleResult result = SlackResult();
  for (int i = 0; i < 600; ++i)
    result.slack.sources.push_back({"buffer/shop/b" + std::to_string(i), {}, {"n1"}, "", {}});
  Observe(metrics, result);
  const std::vector<std::string> samples = Samples(metrics, "batholith_slack_buffer_replicas");
  EXPECT_EQ(samples.size(), 2 * kMostBuffersTold);
  const std::string start = "batholith_slack_buffer_replicas{buffer=\"b";
  const std::string end = "\",namespace=\"shop\",state=\"ready\"} 1";
  EXPECT_THAT(samples, Contains(start + "499" + end));
  EXPECT_THAT(samples, Not(Contains(start + "500" + end)));
  EXPECT_THAT(SlackSamples(metrics),
              Contains("batholith_slack_placeholders{source=\"buffer\",state=\"placed\"} 600"));
}

TEST(NodeGroupSeries, tell_the_sizes_of_groups) {
  Metrics metrics;
  Observe(metrics, GroupResult());
  EXPECT_THAT(Samples(metrics, "batholith_nodegroup_nodes{group=\"a\""),
              UnorderedElementsAre("batholith_nodegroup_nodes{group=\"a\",kind=\"current\"} 3",
                                   "batholith_nodegroup_nodes{group=\"a\",kind=\"target\"} 3",
                                   "batholith_nodegroup_nodes{group=\"a\",kind=\"recommended\"} 9",
                                   "batholith_nodegroup_nodes{group=\"a\",kind=\"min\"} 6",
                                   "batholith_nodegroup_nodes{group=\"a\",kind=\"max\"} 10"));
  EXPECT_THAT(Samples(metrics, "batholith_scale_down_unneeded_nodes"),
              ElementsAre("batholith_scale_down_unneeded_nodes 3"));
  EXPECT_THAT(Samples(metrics, "batholith_scale_down_blocked_nodes"),
              ElementsAre("batholith_scale_down_blocked_nodes{reason=\"Utilization\"} 4"));
}

// The decision was at 100 and the group stays out until then, or for one nanosecond more.
TEST(NodeGroupSeries, say_which_group_is_backed_off) {
  Metrics metrics;
  CycleResult result = GroupResult();
  result.autoscale.memory.groups["a"].backoff = {.failures = 1, .last_failure = 50, .until = 101};
  result.autoscale.memory.groups["b"].backoff = {.failures = 1, .last_failure = 50, .until = 100};
  Observe(metrics, result);
  EXPECT_THAT(Samples(metrics, "batholith_nodegroup_backoff"),
              UnorderedElementsAre("batholith_nodegroup_backoff{group=\"a\"} 1",
                                   "batholith_nodegroup_backoff{group=\"b\"} 0"));
}

// Two decisions of 2 + 1 + 3 new nodes and of 2 empty and 1 unready one; between them a session
// that repeats the first without its orders, as one does that is too soon to decide.
TEST(NodeGroupSeries, count_what_was_ordered_once) {
  Metrics metrics;
  CycleResult result = GroupResult();
  Observe(metrics, result);
  result.autoscale.orders.clear();
  Observe(metrics, result);
  Observe(metrics, GroupResult());
  EXPECT_THAT(
      Samples(metrics, "batholith_scale_up_nodes_total"),
      UnorderedElementsAre("batholith_scale_up_nodes_total{group=\"a\",reason=\"pods\"} 4",
                           "batholith_scale_up_nodes_total{group=\"a\",reason=\"slack\"} 2",
                           "batholith_scale_up_nodes_total{group=\"a\",reason=\"min_size\"} 6",
                           "batholith_scale_up_nodes_total{group=\"b\",reason=\"pods\"} 0",
                           "batholith_scale_up_nodes_total{group=\"b\",reason=\"slack\"} 0",
                           "batholith_scale_up_nodes_total{group=\"b\",reason=\"min_size\"} 0"));
  EXPECT_THAT(Samples(metrics, "batholith_scale_down_nodes_total{group=\"b\""),
              UnorderedElementsAre(
                  "batholith_scale_down_nodes_total{group=\"b\",reason=\"empty\"} 4",
                  "batholith_scale_down_nodes_total{group=\"b\",reason=\"underutilized\"} 0",
                  "batholith_scale_down_nodes_total{group=\"b\",reason=\"unready\"} 2"));
}

TEST(NodeGroupSeries, count_failures_by_a_few_reasons) {
  Metrics metrics;
  metrics.CountScaleUpFailure("a", "conflict");
  Observe(metrics, GroupResult());
  metrics.CountScaleUpFailure("a", "conflict");
  metrics.CountScaleUpFailure("a", "answer 418 of a teapot");
  Observe(metrics, GroupResult());
  EXPECT_THAT(
      Samples(metrics, "batholith_scale_up_failed_total{group=\"a\""),
      UnorderedElementsAre("batholith_scale_up_failed_total{group=\"a\",reason=\"forbidden\"} 0",
                           "batholith_scale_up_failed_total{group=\"a\",reason=\"conflict\"} 2",
                           "batholith_scale_up_failed_total{group=\"a\",reason=\"timeout\"} 0",
                           "batholith_scale_up_failed_total{group=\"a\",reason=\"refused\"} 1",
                           "batholith_scale_up_failed_total{group=\"a\",reason=\"gone\"} 0"));
}

TEST(NodeGroupSeries, go_with_the_group_and_with_the_action) {
  Metrics metrics;
  CycleResult result = GroupResult();
  Observe(metrics, result);
  result.autoscale.groups.pop_back();
  result.autoscale.orders.clear();
  Observe(metrics, result);
  // 5 sizes, backoff, 3 + 5 + 3 counters of group a; unneeded; one reason.
  EXPECT_EQ(GroupSamples(metrics).size(), 5U + 1 + 3 + 5 + 3 + 1 + 1);
  EXPECT_THAT(GroupSamples(metrics), Not(Contains(::testing::HasSubstr("group=\"b\""))));
  Observe(metrics, {});
  EXPECT_THAT(GroupSamples(metrics), IsEmpty());
}

}  // namespace
}  // namespace batholith
