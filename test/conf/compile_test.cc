#include "conf/compile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test/conf/parse_env.h"

namespace batholith {
namespace {

Result<Pipeline> Compiled(const std::string& text) {
  const Result<SchedulerConf> conf = Parse(text);
  EXPECT_TRUE(conf.has_value()) << conf.error().message;
  return Compile(conf.value());
}

std::string WithAction(const std::string& action, const std::string& arguments) {
  return "actions: \"allocate, " + action + "\"\ntiers: [{plugins: [{name: gang}]}]\n" +
         "configurations:\n- {name: " + action + ", arguments: {" + arguments + "}}\n";
}

TEST(Compile, what_the_options_of_actions_need_is_the_need_of_the_pipeline) {
  const Pipeline slack =
      Compiled(WithAction("slack", "consumers: {queues: [a, b], minPriority: 5}")).value();
  EXPECT_EQ(slack.needs.consumers.queues, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(slack.needs.consumers.min_priority, 5);
  EXPECT_TRUE(slack.needs.reads_buffers);
  EXPECT_FALSE(slack.needs.reads_node_groups);

  const Pipeline autoscale =
      Compiled(WithAction("autoscale",
                          "nodeGroups: [{name: g, max: 3, selector: {a: b}, "
                          "scaleTarget: {name: md}, template: {cpu: 4, x.io/gpu: 1}}]"))
          .value();
  EXPECT_EQ(autoscale.needs.node_resources, (std::vector<std::string>{"cpu", "pods", "x.io/gpu"}));
  EXPECT_TRUE(autoscale.needs.reads_node_groups);
  EXPECT_FALSE(autoscale.needs.reads_buffers);
}

TEST(Compile, arguments_that_do_not_go_together_are_refused_by_their_action) {
  const Result<Pipeline> rates =
      Compiled(WithAction("slack", "rate: 10%, extra-capacity-min-rate: 10%"));
  ASSERT_FALSE(rates.has_value());
  EXPECT_EQ(
      rates.error().message,
      "c.yaml:4: action slack: rate and extra-capacity-min-rate are the same: give one of them");
  const Result<Pipeline> group =
      Compiled(WithAction("autoscale", "nodeGroups: [{name: g, min: 2, max: 1}]"));
  ASSERT_FALSE(group.has_value());
  EXPECT_EQ(group.error().message,
            "c.yaml:4: action autoscale: nodeGroups[0] (g): max is below min");
}

TEST(Compile, an_error_that_options_find_names_the_line) {
  const Result<Pipeline> quota = Compiled(
      "actions: allocate\ntiers:\n- plugins:\n  - name: elasticquota\n    arguments:\n"
      "      defaultQuotaGroupMax:\n        cpu: 4\n        memory: much\n");
  ASSERT_FALSE(quota.has_value());
  EXPECT_THAT(quota.error().message,
              testing::StartsWith("c.yaml:8: plugin elasticquota: defaultQuotaGroupMax/memory: "));
  const Result<Pipeline> group = Compiled(
      "actions: \"allocate, autoscale\"\ntiers: [{plugins: [{name: gang}]}]\nconfigurations:\n"
      "- name: autoscale\n  arguments:\n    nodeGroups:\n    - {name: g, selector: {a: b}}\n"
      "    - selector: {a: c}\n      max: 3\n");
  ASSERT_FALSE(group.has_value());
  EXPECT_EQ(group.error().message, "c.yaml:8: action autoscale: nodeGroups[1].name is missing");
}

TEST(Compile, plugins_stand_in_their_tiers_with_what_is_switched_on) {
  const Pipeline pipeline =
      Compiled(
          "actions: allocate\ntiers:\n- plugins: [{name: gang, enableJobOrder: false}]\n"
          "- plugins: [{name: drf, enableHierarchy: true}, {name: binpack}]\n")
          .value();
  ASSERT_EQ(pipeline.plugins.size(), 3U);
  EXPECT_EQ(pipeline.plugins[0].tier, 0U);
  EXPECT_FALSE(pipeline.plugins[0].points.Has(Point::kJobOrder));
  EXPECT_EQ(pipeline.plugins[1].tier, 1U);
  EXPECT_TRUE(pipeline.plugins[1].points.Has(Point::kHierarchy));
  EXPECT_EQ(pipeline.plugins[2].descriptor->name, "binpack");
  EXPECT_NE(pipeline.plugins[2].options, nullptr);
}

}  // namespace
}  // namespace batholith
