#include "conf/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "actions/builtin.h"
#include "plugins/builtin.h"

namespace batholith {
namespace {

using testing::HasSubstr;
using testing::Not;

Result<std::string> Explained(std::string_view name) {
  return ExplainName({BuiltinPlugins(), BuiltinActions()}, name);
}

TEST(Explain, a_plugin_is_told_with_its_switches_and_arguments) {
  const std::string text = Explained("resource-strategy-fit").value();
  EXPECT_THAT(text, HasSubstr("`enablePredicate`, `enableNodeOrder`"));
  EXPECT_THAT(text, HasSubstr("| `resources/*/type` | LeastAllocated, MostAllocated |"));
  EXPECT_THAT(text, HasSubstr("| `resourceStrategyFitWeight` | a whole number, from 0 to "));
}

TEST(Explain, what_has_no_effect_says_so) {
  EXPECT_THAT(Explained("preempt").value(), HasSubstr("(no effect: every node is tried)"));
  EXPECT_THAT(Explained("predicates").value(),
              HasSubstr("- `predicate.GPUSharingEnable`: it moved to the plugin deviceshare"));
}

TEST(Explain, only_plugins_with_a_tree_have_the_switch_of_the_hierarchy) {
  EXPECT_THAT(Explained("drf").value(), HasSubstr("`enableHierarchy`"));
  EXPECT_THAT(Explained("proportion").value(), Not(HasSubstr("`enableHierarchy`")));
}

TEST(Explain, an_unknown_name_is_refused_with_a_near_one) {
  const Result<std::string> text = Explained("bimpack");
  ASSERT_FALSE(text.has_value());
  EXPECT_EQ(text.error().message,
            "no plugin or action is called \"bimpack\"; did you mean \"binpack\"?");
}

}  // namespace
}  // namespace batholith
