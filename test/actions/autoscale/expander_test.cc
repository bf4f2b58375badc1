#include "actions/autoscale/model/expander.h"

#include <gtest/gtest.h>

#include "test/actions/autoscale/autoscale_env.h"

namespace batholith {
namespace {

ScaleOption Option(const std::string& name, std::int64_t nodes, std::int64_t helped) {
  ScaleOption option;
  option.name = name;
  option.nodes = nodes;
  option.helped = helped;
  option.capacity = Amounts(4000, 16384);
  return option;
}

TEST(Expander, a_later_filter_decides_between_those_that_an_earlier_one_leaves) {
  AutoscaleConf conf;
  conf.expanders = {ExpanderKind::kMostPods, ExpanderKind::kLeastNodes};
  const std::vector<ScaleOption> options = {Option("a", 1, 3), Option("b", 4, 5),
                                            Option("c", 2, 5)};
  EXPECT_EQ(PickOption(options, conf, 0).name, "c");
}

TEST(Expander, equal_options_are_taken_by_name) {
  EXPECT_EQ(PickOption({Option("b", 1, 1), Option("a", 1, 1)}, AutoscaleConf(), 0).name, "a");
}

TEST(Expander, a_pattern_that_is_no_regular_expression_turns_the_priorities_off) {
  AutoscaleConf conf;
  conf.expanders = {ExpanderKind::kPriority};
  conf.priorities = {{10, {"^b$"}}};
  const std::vector<ScaleOption> options = {Option("a", 1, 1), Option("b", 1, 1)};
  EXPECT_EQ(PickOption(options, conf, 0).name, "b");
  conf.priorities[5] = {"("};
  EXPECT_FALSE(IsPattern("("));
  EXPECT_EQ(FilterOptions(options, conf, 0).size(), 2U);
}

}  // namespace
}  // namespace batholith
