// What becomes of names of Volcano's that this build does not have, and of a conf in a ConfigMap.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "conf/known_names.h"
#include "test/conf/parse_env.h"

namespace batholith {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Result<SchedulerConf> ParseLenient(std::string_view text) {
  return Parse(text, MissingParts::kLeftOut);
}

constexpr std::string_view kConf = R"(
actions: "enqueue, allocate, gangpreempt"
tiers:
- plugins:
  - {name: gang, enablePreemptable: false}
  - {name: extender, enableJobReady: false, arguments: {extender.urlPrefix: "http://x"}}
  - {name: proportion}
)";

TEST(LeftOut, is_what_this_build_does_not_have_and_the_rest_holds) {
  const auto conf = ParseLenient(kConf);
  ASSERT_TRUE(conf) << conf.error().message;
  EXPECT_THAT(conf->left_out,
              ElementsAre(LeftOut{"action", "gangpreempt"}, LeftOut{"plugin", "extender"}));
  EXPECT_THAT(conf->warnings,
              ElementsAre(HasSubstr("c.yaml:2: action gangpreempt is known, but this build does "
                                    "not have it yet: it is left out"),
                          HasSubstr("c.yaml:6: plugin extender is known, but this build does not "
                                    "have it yet: it is left out")));
  ASSERT_EQ(conf->actions.size(), 2);
  ASSERT_EQ(conf->tiers.at(0).plugins.size(), 2);
  EXPECT_FALSE(conf->tiers[0].plugins[0].points.Has(Point::kPreemptable));
  EXPECT_EQ(conf->tiers[0].plugins[1].name(), "proportion");
}

TEST(LeftOut, is_refused_unless_that_was_asked_for) {
  const auto conf = Parse(kConf);
  ASSERT_FALSE(conf);
  EXPECT_THAT(conf.error().message, HasSubstr("c.yaml:2: action gangpreempt is known"));
  EXPECT_THAT(conf.error().message, HasSubstr("--lenient"));
}

TEST(LeftOut, a_name_that_nobody_knows_is_a_bad_conf_all_the_same) {
  const auto action = ParseLenient("actions: \"enqueue, alocate\"");
  ASSERT_FALSE(action);
  EXPECT_THAT(action.error().message, HasSubstr("action \"alocate\" is unknown; did you mean"));
  const auto plugin = ParseLenient("actions: allocate\ntiers: [{plugins: [{name: gangg}]}]");
  ASSERT_FALSE(plugin);
  EXPECT_THAT(plugin.error().message, HasSubstr("plugin \"gangg\" is unknown; did you mean"));
  const auto given = ParseLenient("actions: allocate\nconfigurations: [{name: alocate}]");
  ASSERT_FALSE(given);
}

TEST(LeftOut, a_conf_of_which_no_action_is_left_is_bad) {
  const auto conf = ParseLenient("actions: gangreclaim");
  ASSERT_FALSE(conf);
  EXPECT_THAT(conf.error().message, HasSubstr("`actions` names no action of this build"));
}

TEST(LeftOut, a_plugin_that_stands_twice_is_refused_though_it_is_left_out) {
  EXPECT_FALSE(
      ParseLenient("actions: allocate\ntiers: [{plugins: [{name: extender}, {name: extender}]}]"));
}

constexpr std::string_view kConfigMap = R"(apiVersion: v1
kind: ConfigMap
metadata: {name: volcano-scheduler-configmap, namespace: volcano-system}
data:
  notes: no conf
  volcano-scheduler.conf: |
    actions: "enqueue, allocate"
    tiers:
    - plugins:
      - name: gang
)";

TEST(ConfInConfigMap, is_read) {
  const auto conf = Parse(kConfigMap);
  ASSERT_TRUE(conf) << conf.error().message;
  EXPECT_EQ(conf->actions.size(), 2);
  EXPECT_THAT(conf->warnings, IsEmpty());
}

TEST(ConfInConfigMap, what_is_wrong_in_it_is_told_with_the_key) {
  std::string text(kConfigMap);
  text.replace(text.find("gang"), 4, "bang");
  const auto conf = Parse(text);
  ASSERT_FALSE(conf);
  EXPECT_THAT(conf.error().message,
              HasSubstr("c.yaml: volcano-scheduler.conf:4: plugin \"bang\" is unknown"));
}

TEST(ConfInConfigMap, one_key_alone_must_be_meant) {
  const auto refusal = [](std::string_view data) {
    const auto conf = Parse("kind: ConfigMap\napiVersion: v1\n" + std::string(data));
    return conf ? "accepted" : conf.error().message;
  };
  EXPECT_EQ(refusal("data: {any: 'actions: allocate'}"), "accepted");
  EXPECT_THAT(refusal(""), HasSubstr("the ConfigMap has no `data` with a conf in it"));
  EXPECT_THAT(refusal("data: {a.conf: 'actions: allocate', b.conf: 'actions: allocate'}"),
              HasSubstr("several keys (a.conf, b.conf), of which one alone must end in .conf"));
  EXPECT_THAT(refusal("data: {a.conf: [1]}"), HasSubstr("must be the text of a conf"));
  EXPECT_THAT(refusal("data: {a.conf: ''}"), HasSubstr("c.yaml: a.conf:1: the conf is empty"));
}

}  // namespace
}  // namespace batholith
