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

TEST(Expander, the_highest_priority_whose_pattern_is_in_a_name_wins) {
  AutoscaleConf conf;
  conf.expanders = {ExpanderKind::kPriority};
  conf.priorities[5] = {Pattern::Of("a").value()};
  conf.priorities[10] = {Pattern::Of("^z").value(), Pattern::Of("^b$").value()};
  const std::vector<ScaleOption> options = {Option("a", 1, 1), Option("b", 1, 1)};
  EXPECT_EQ(PickOption(options, conf, 0).name, "b");
}

TEST(Expander, what_is_no_regular_expression_or_needs_back_references_is_no_pattern) {
  EXPECT_FALSE(Pattern::Of("("));
  EXPECT_FALSE(Pattern::Of("(a)\\1"));
  EXPECT_FALSE(Pattern::Of("a(?=b)"));
  EXPECT_EQ(Pattern::Of("a"), Pattern::Of("a"));
  EXPECT_NE(Pattern::Of("a"), Pattern::Of("b"));
}

}  // namespace
}  // namespace batholith
