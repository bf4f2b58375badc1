#include "conf/load.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "actions/builtin.h"
#include "conf/check_arguments.h"
#include "conf/default_conf.h"
#include "framework/options/arguments.h"
#include "plugins/builtin.h"
#include "test/conf/parse_env.h"

namespace batholith {
namespace {

// A conf with one plugin entry of this text (flow style, without the braces).
std::string WithPlugin(std::string_view entry) {
  return "actions: \"enqueue, allocate\"\ntiers:\n- plugins:\n  - {" + std::string(entry) + "}\n";
}

const PluginConf& OnlyPlugin(const SchedulerConf& conf) { return conf.tiers.at(0).plugins.at(0); }

// Of a plugin or action that was read.
template <typename Entry>
Arguments ArgumentsOf(const Entry& entry) {
  return {entry.arguments, entry.descriptor->arguments};
}

std::string Joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

struct BadConf {
  std::string_view name;
  std::string text;
  std::vector<std::string_view> expected;  // parts of the message
};

class BadConfTest : public testing::TestWithParam<BadConf> {};

TEST_P(BadConfTest, is_refused_with_place_and_hint) {
  const Result<SchedulerConf> conf = Parse(GetParam().text);
  ASSERT_FALSE(conf.has_value());
  for (const std::string_view part : GetParam().expected) {
    EXPECT_NE(conf.error().message.find(part), std::string::npos) << conf.error().message;
  }
}

std::string Repeat(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

std::string AliasBomb() {
  std::string text = "actions: allocate\nx0: &x0 {a: 1, b: 2}\n";
  for (int i = 1; i < 30; ++i) {
    const std::string below = std::to_string(i - 1);
    text += "x" + std::to_string(i) + ": &x" + std::to_string(i) + " {a: *x" + below + ", b: *x" +
            below + "}\n";
  }
  return text;
}

std::string AliasBombInArguments() {
  std::string text = "{name: resource-strategy-fit, arguments: {resources: {";
  text += "a0: &x0 {type: {p: 1, q: 1}}";
  for (int i = 1; i < 30; ++i) {
    const std::string below = "*x" + std::to_string(i - 1) + " ";
    text += ", a" + std::to_string(i) + ": &x" + std::to_string(i) + " {p: " + below +
            ", q: " + below + "}";
  }
  return "actions: allocate\ntiers:\n- plugins:\n  - " + text + "}}}\n";
}

const BadConf kBadConfs[] = {
    {"unknown_action",
     "actions: \"enqueue, allocat, backfill\"\n",
     {"c.yaml:1: ", "\"allocat\"", "did you mean \"allocate\"?"}},
    {"unknown_plugin",
     WithPlugin("name: no-such-plugin"),
     {"c.yaml:4: ", "no-such-plugin", "is unknown"}},
    {"misspelt_plugin", WithPlugin("name: nodorder"), {"did you mean \"nodeorder\"?"}},
    {"plugin_in_other_case", WithPlugin("name: DRF"), {"did you mean \"drf\"?"}},
    {"later_plugin",
     WithPlugin("name: deviceshare"),
     {"c.yaml:4: ", "deviceshare", "this build does not have it yet"}},
    {"later_action",
     "actions: allocate, gangpreempt",
     {"gangpreempt", "this build does not have it yet"}},
    {"plugin_twice",
     "actions: allocate\ntiers:\n- plugins:\n  - name: gang\n- plugins:\n  - name: gang\n",
     {"c.yaml:6: ", "gang", "twice"}},
    {"unknown_top_key",
     "actions: allocate\ntier: []\n",
     {"c.yaml:2: ", "`tier`", "did you mean \"tiers\"?"}},
    {"unknown_tier_key",
     "actions: allocate\ntiers:\n- plugin: []\n",
     {"c.yaml:3: ", "did you mean \"plugins\"?"}},
    {"unknown_switch",
     WithPlugin("name: gang, enablePremptable: false"),
     {"enablePremptable", "did you mean \"enablePreemptable\"?"}},
    {"argument_beside_name",
     WithPlugin("name: binpack, binpack.weight: 2"),
     {"binpack.weight", "belongs under `arguments`"}},
    {"prefixed_argument_beside_name",
     WithPlugin("name: binpack, binpack.resources.a/b: 2"),
     {"belongs under `arguments`"}},
    {"misspelt_argument_beside_name",
     WithPlugin("name: binpack, binpack.wieght: 2"),
     {"did you mean \"binpack.weight\"?", "belongs under `arguments`"}},
    {"switch_under_arguments",
     WithPlugin("name: gang, arguments: {enablePreemptable: false}"),
     {"plugin gang", "belongs beside `name`"}},
    {"switch_twice",
     WithPlugin("name: gang, enableVictim: true, enabledVictim: false"),
     {"both spellings"}},
    {"switch_not_boolean",
     WithPlugin("name: gang, enableJobOrder: maybe"),
     {"enableJobOrder", "true or false"}},
    {"unknown_argument",
     WithPlugin("name: nodeorder, arguments: {leastrequested.wight: 1}"),
     {"c.yaml:4: ", "plugin nodeorder", "did you mean \"leastrequested.weight\"?"}},
    {"plugin_without_arguments",
     WithPlugin("name: gang, arguments: {a: 1}"),
     {"takes no arguments"}},
    {"not_a_whole_number",
     WithPlugin("name: nodeorder, arguments: {leastrequested.weight: 1.5}"),
     {"leastrequested.weight", "a whole number", "1.5"}},
    {"number_beyond_64_bits",
     WithPlugin("name: nodeorder, arguments: {leastrequested.weight: 99999999999999999999}"),
     {"leastrequested.weight"}},
    {"negative_weight",
     WithPlugin("name: nodeorder, arguments: {leastrequested.weight: -1}"),
     {"leastrequested.weight", "from 0"}},
    {"factor_not_finite",
     WithPlugin("name: overcommit, arguments: {overcommit-factor: .inf}"),
     {"a number"}},
    {"bad_boolean",
     WithPlugin("name: nodegroup, arguments: {strict: 2}"),
     {"strict", "true or false"}},
    {"bad_duration",
     WithPlugin("name: sla, arguments: {sla-waiting-time: 3 minutes}"),
     {"a duration"}},
    {"bad_zone",
     WithPlugin("name: tdm, arguments: {tdm.revocable-zone.a: \"25:00-26:00\"}"),
     {"a time range"}},
    {"mapping_for_a_number",
     WithPlugin("name: overcommit, arguments: {overcommit-factor: {a: 1}}"),
     {"not a mapping or list"}},
    {"number_for_a_mapping",
     WithPlugin("name: resource-strategy-fit, arguments: {sra: 1}"),
     {"sra", "a mapping"}},
    {"unknown_nested_key",
     WithPlugin("name: resource-strategy-fit, arguments: {sra: {enabel: true}}"),
     {"sra/enabel", "did you mean \"enable\"?"}},
    {"bad_choice",
     WithPlugin("name: resource-strategy-fit, arguments: {resources: {cpu: {type: MostAlocated}}}"),
     {"resources/cpu/type", "did you mean \"MostAllocated\"?"}},
    {"bare_pattern",
     WithPlugin("name: resource-strategy-fit, arguments: {resources: {\"*\": {weight: 1}}}"),
     {"resources/*/weight"}},
    {"drf_tree_with_proportion",
     "actions: allocate\ntiers:\n- plugins:\n  - name: proportion\n  - name: drf\n    "
     "enableHierarchy: true\n",
     {"c.yaml:5: ", "proportion", "drf"}},
    {"unknown_configuration",
     "actions: allocate\nconfigurations:\n- name: preemt\n",
     {"c.yaml:3: ", "did you mean \"preempt\"?"}},
    {"configuration_twice",
     "actions: allocate\nconfigurations:\n- name: preempt\n- name: preempt\n",
     {"c.yaml:4: "}},
    {"unknown_action_argument",
     "actions: allocate\nconfigurations:\n- name: preempt\n  arguments: {minNodes: 1}\n",
     {"c.yaml:4: ", "action preempt", "minNodes"}},
    {"unknown_metrics_key",
     "actions: allocate\nmetrics: {adress: x}\n",
     {"did you mean \"address\"?"}},
    {"key_twice", "actions: allocate\nactions: backfill\n", {"c.yaml:2: ", "twice"}},
    {"plugin_without_name", WithPlugin("enableJobOrder: true"), {"c.yaml:4: ", "no `name`"}},
    {"plugin_as_text",
     "actions: allocate\ntiers:\n- plugins: [gang]\n",
     {"c.yaml:3: ", "must be a mapping"}},
    {"tiers_as_mapping",
     "actions: allocate\ntiers: {plugins: []}\n",
     {"c.yaml:2: ", "list of tiers"}},
    {"no_actions", "tiers: []\n", {"c.yaml:1: ", "`actions` is missing"}},
    {"empty_action_name", "actions: \"allocate, , backfill\"\n", {"empty name"}},
    {"actions_as_mapping", "actions: {a: b}\n", {"c.yaml:1: ", "`actions`"}},
    {"empty", "", {"c.yaml:1: ", "empty"}},
    {"only_comments", "# nothing\n\n", {"empty"}},
    {"text", "allocate\n", {"must be a mapping"}},
    {"two_documents", "actions: allocate\n---\nactions: allocate\n", {"one YAML document"}},
    {"broken_yaml", "actions: [allocate\ntiers: }\n", {"c.yaml:2: "}},
    {"binary", std::string("a\0b", 3), {"not a text file"}},
    {"too_large", "actions: allocate #" + std::string(2'000'000, 'x'), {"too large"}},
    {"deep", "actions: " + Repeat("[", 100'000), {"c.yaml:1: ", "deeper than 100 levels"}},
    {"deep_arguments",
     WithPlugin("name: binpack, arguments: {binpack.resources: " + Repeat("[", 200) +
                Repeat("]", 200) + "}"),
     {"100 levels"}},
    {"alias_bomb", AliasBomb(), {"c.yaml:13: ", "aliases expand to too much"}},
    {"alias_bomb_in_arguments", AliasBombInArguments(), {"more than 20000"}},
    {"alias_of_itself",
     WithPlugin("name: binpack, arguments: {binpack.resources: &a [*a]}"),
     {"c.yaml:"}},
};

INSTANTIATE_TEST_SUITE_P(Conf, BadConfTest, testing::ValuesIn(kBadConfs),
                         [](const auto& c) { return std::string(c.param.name); });

struct WarnedConf {
  std::string_view name;
  std::string text;
  std::string_view expected;  // part of the only warning; empty: none
};

class WarnedConfTest : public testing::TestWithParam<WarnedConf> {};

TEST_P(WarnedConfTest, loads_with_its_warning) {
  const Result<SchedulerConf> conf = Parse(GetParam().text);
  ASSERT_TRUE(conf.has_value()) << conf.error().message;
  if (GetParam().expected.empty()) {
    EXPECT_EQ(Joined(conf->warnings), "");
    return;
  }
  ASSERT_EQ(conf->warnings.size(), 1U) << Joined(conf->warnings);
  EXPECT_NE(conf->warnings[0].find(GetParam().expected), std::string::npos) << conf->warnings[0];
}

const WarnedConf kWarnedConfs[] = {
    {"built_in", std::string(DefaultConfText()), ""},
    {"other_spelling_of_switches",
     WithPlugin("name: gang, enabledJobOrder: true, enableVictim: false"), ""},
    {"quoted_values", WithPlugin("name: gang, enableJobOrder: \"false\""), ""},
    {"cache_argument", WithPlugin("name: predicates, arguments: {predicate.CacheEnable: true}"),
     "predicate.CacheEnable\" is retired"},
    {"volumes_off", WithPlugin("name: predicates, arguments: {predicate.VolumeZoneEnable: false}"),
     ""},
    {"volumes_on", WithPlugin("name: predicates, arguments: {predicate.VolumeZoneEnable: true}"),
     ""},
    {"retired_argument",
     WithPlugin("name: predicates, arguments: {predicate.GPUSharingEnable: \"false\"}"),
     "predicate.GPUSharingEnable\" is retired"},
    {"retired_action", "actions: enqueue, elect, allocate\ntiers: [{plugins: [{name: gang}]}]",
     "action elect is retired"},
    {"retired_plugin", WithPlugin("name: reservation"), "plugin reservation is retired"},
    {"retired_action_argument",
     "actions: allocate\nconfigurations:\n- {name: enqueue, arguments: {overcommit-factor: 1.5}}\n"
     "tiers: [{plugins: [{name: gang}]}]",
     "c.yaml:3: action enqueue: argument \"overcommit-factor\" is retired"},
    {"arguments_of_an_action_that_does_not_run",
     "actions: allocate\nconfigurations: [{name: slack, arguments: {rate: 10%}}]\n"
     "tiers: [{plugins: [{name: gang}]}]",
     "arguments of action slack have no effect: `actions` does not name it"},
    {"topology_of_preempt",
     "actions: allocate, preempt\nconfigurations: [{name: preempt, arguments: "
     "{minCandidateNodesAbsolute: 2}}]\ntiers: [{plugins: [{name: gang}, {name: priority}]}]",
     "\"minCandidateNodesAbsolute\" has no effect: every node is tried"},
    {"error_cache_off",
     "actions: allocate\nconfigurations: [{name: allocate, arguments: "
     "{predicateErrorCacheEnable: false}}]\ntiers: [{plugins: [{name: gang}]}]",
     "\"predicateErrorCacheEnable\" has no effect"},
    {"period_of_tdm", WithPlugin("name: tdm, arguments: {tdm.evict.period: 5m}"),
     "\"tdm.evict.period\" has no effect"},
    {"sub_jobs", WithPlugin("name: gang, enabledSubJobReady: true"),
     "switch `enabledSubJobReady` has no effect"},
    {"point_that_the_plugin_lacks", WithPlugin("name: gang, enableNodeOrder: true"),
     "plugin gang: `enableNodeOrder` has no effect"},
    {"arguments_of_a_later_action",
     "actions: allocate\nconfigurations: [{name: gangpreempt, arguments: {maxDomains: 8}}]\n"
     "tiers: [{plugins: [{name: gang}]}]",
     "gangpreempt"},
    {"missing_point_on_warns_once",
     "actions: allocate\ntiers:\n- plugins:\n  - {name: gang, enableBestNode: true}\n"
     "  - {name: drf, enableBestNode: true, enabledHyperNodeOrder: false}\n",
     "c.yaml:4: switch `enableBestNode`"},
    {"drf_tree_in_another_tier",
     "actions: allocate\ntiers:\n- plugins:\n  - name: proportion\n- plugins:\n  - {name: drf, "
     "enableHierarchy: true}\n",
     ""},
    {"metrics",
     "actions: allocate\nmetrics: {type: prometheus, tls.insecureSkipVerify: \"false\"}\n"
     "tiers: [{plugins: [{name: gang}]}]",
     "`metrics` has no effect"},
    {"argument_without_value", WithPlugin("name: binpack, arguments: {binpack.cpu: }"),
     "has no value"},
    {"preempt_without_starving", "actions: allocate, preempt\ntiers: [{plugins: [{name: drf}]}]",
     "no plugin says which jobs starve"},
    {"preempt_without_victims",
     "actions: allocate, preempt\ntiers: [{plugins: [{name: gang, enablePreemptable: false}]}]",
     "preempt has no effect: no plugin judges victims"},
    {"reclaim_without_victims",
     "actions: allocate, reclaim\ntiers: [{plugins: [{name: priority}]}]",
     "reclaim has no effect: no plugin judges victims"},
    {"shuffle_without_victims", "actions: allocate, shuffle\ntiers: [{plugins: [{name: gang}]}]",
     "shuffle"},
    {"nothing_binds", "actions: enqueue\ntiers: [{plugins: [{name: gang}]}]",
     "nothing is ever bound"},
    {"no_plugins", "actions: allocate\n", "no plugin is configured"},
    {"sla_behind_admission",
     "actions: enqueue, allocate\ntiers: [{plugins: [{name: overcommit}, {name: sla}]}]",
     "plugin sla"},
};

INSTANTIATE_TEST_SUITE_P(Conf, WarnedConfTest, testing::ValuesIn(kWarnedConfs),
                         [](const auto& c) { return std::string(c.param.name); });

TEST(LoadTest, actions_keep_their_order_and_may_be_a_list) {
  for (const std::string_view actions :
       {"\"preempt,allocate , backfill\"", "[preempt, allocate, backfill]"}) {
    const auto conf = Parse("actions: " + std::string(actions) + "\n");
    ASSERT_TRUE(conf.has_value()) << conf.error().message;
    ASSERT_EQ(conf->actions.size(), 3U);
    EXPECT_EQ(conf->actions[0].name(), "preempt");
    EXPECT_EQ(conf->actions[2].name(), "backfill");
  }
}

TEST(LoadTest, switches_default_to_on_but_for_hierarchy) {
  const auto conf = Parse(WithPlugin("name: drf, enablePreemptable: false, enableVictim: off"));
  ASSERT_TRUE(conf.has_value()) << conf.error().message;
  const PointSet points = OnlyPlugin(*conf).points;
  EXPECT_TRUE(points.Has(Point::kJobOrder));
  EXPECT_FALSE(points.Has(Point::kPreemptable));
  EXPECT_FALSE(points.Has(Point::kVictim));
  EXPECT_FALSE(points.Has(Point::kHierarchy));
}

TEST(LoadTest, configurations_reach_their_action) {
  const auto conf = Parse(
      "configurations:\n- name: preempt\n  arguments: {enableTopologyAwarePreemption: \"true\"}\n"
      "actions: allocate, preempt\n");
  ASSERT_TRUE(conf.has_value()) << conf.error().message;
  const Arguments preempt = ArgumentsOf(conf->actions.at(1));
  EXPECT_TRUE(preempt.Bool("enableTopologyAwarePreemption"));
  EXPECT_TRUE(preempt.Bool("predicateErrorCacheEnable"));
  EXPECT_EQ(preempt.Int("maxCandidateNodesAbsolute"), 100);
}

TEST(LoadTest, arguments_are_read_with_their_defaults) {
  const auto conf =
      Parse(WithPlugin("name: binpack, arguments: {binpack.weight: 10, binpack.cpu: \"5\", "
                       "binpack.resources: \"a, b/c\", "
                       "binpack.resources.b/c: 3}"));
  ASSERT_TRUE(conf.has_value()) << conf.error().message;
  const Arguments binpack = ArgumentsOf(OnlyPlugin(*conf));
  EXPECT_EQ(binpack.Int("binpack.weight"), 10);
  EXPECT_EQ(binpack.Int("binpack.cpu"), 5);
  EXPECT_EQ(binpack.Int("binpack.memory"), 1);
  EXPECT_EQ(binpack.List("binpack.resources"), (std::vector<std::string>{"a", "b/c"}));
  EXPECT_EQ(binpack.Int("binpack.resources.b/c"), 3);
  EXPECT_EQ(binpack.Int("binpack.resources.a"), 1);
  const auto weights = binpack.WithPrefix("binpack.resources.");
  ASSERT_EQ(weights.size(), 1U);
  EXPECT_EQ(weights[0].first, "b/c");
}

TEST(LoadTest, lists_keep_the_order_of_the_file) {
  std::string list;
  std::vector<std::string> expected;
  for (int i = 0; i < 12; ++i) {
    expected.push_back("r" + std::to_string(i));
    list += (i == 0 ? "" : ", ") + expected.back();
  }
  const auto conf =
      Parse(WithPlugin("name: binpack, arguments: {binpack.resources: [" + list + "]}"));
  ASSERT_TRUE(conf.has_value()) << conf.error().message;
  EXPECT_EQ(ArgumentsOf(OnlyPlugin(*conf)).List("binpack.resources"), expected);
}

TEST(LoadTest, nested_arguments_keep_dotted_keys) {
  const auto conf = Parse(WithPlugin(
      "name: resource-strategy-fit, arguments: {proportional: {enable: true, resources: a/b, "
      "resourceProportion: {a/b.cpu: 4}}}"));
  ASSERT_TRUE(conf.has_value()) << conf.error().message;
  const Arguments fit = ArgumentsOf(OnlyPlugin(*conf));
  EXPECT_TRUE(fit.Has("proportional"));
  EXPECT_FALSE(fit.Has("sra"));
  const Arguments proportional = fit.Map("proportional");
  EXPECT_EQ(proportional.Keys(),
            (std::vector<std::string>{"enable", "resourceProportion", "resources"}));
  EXPECT_TRUE(proportional.Bool("enable"));
  const Arguments kept = proportional.Map("resourceProportion");
  EXPECT_EQ(kept.Keys(), (std::vector<std::string>{"a/b.cpu"}));
  EXPECT_DOUBLE_EQ(kept.Float("a/b.cpu"), 4);
  EXPECT_FALSE(fit.Map("sra").Bool("enable"));
}

// Where Volcano goes on with a default, so do we, and say so.
TEST(LoadTest, lenient_values_become_the_default_with_a_warning) {
  const auto factor = Parse(WithPlugin("name: overcommit, arguments: {overcommit-factor: 0.5}"));
  ASSERT_TRUE(factor.has_value()) << factor.error().message;
  EXPECT_EQ(factor->warnings.size(), 1U);
  EXPECT_DOUBLE_EQ(ArgumentsOf(OnlyPlugin(*factor)).Float("overcommit-factor"), 1.2);

  const auto weight = Parse(WithPlugin("name: binpack, arguments: {binpack.cpu: -3}"));
  ASSERT_TRUE(weight.has_value()) << weight.error().message;
  EXPECT_EQ(weight->warnings.size(), 1U);
  EXPECT_EQ(ArgumentsOf(OnlyPlugin(*weight)).Int("binpack.cpu"), 1);

  for (const std::string_view ignored : {"1", "0s", "\"-5m\""}) {
    const auto sla =
        Parse(WithPlugin("name: sla, arguments: {sla-waiting-time: " + std::string(ignored) + "}"));
    ASSERT_TRUE(sla.has_value()) << sla.error().message;
    EXPECT_EQ(sla->warnings.size(), 1U) << Joined(sla->warnings);
    EXPECT_EQ(ArgumentsOf(OnlyPlugin(*sla)).Duration("sla-waiting-time"), std::nullopt);
  }
}

void ExpectValidDefaults(std::string_view owner, std::span<const ArgumentSpec> specs) {
  for (const ArgumentSpec& spec : specs) {
    ExpectValidDefaults(owner, spec.fields);
    if (spec.default_text.empty()) continue;
    ConfValue given;
    given.children = {{.key = std::string(spec.name) + (spec.name_is_prefix ? "x" : ""),
                       .text = std::string(spec.default_text),
                       .quoted = true,
                       .line = 1}};
    if (spec.name == "*") given.children.front().key = "x";
    ArgumentSpec named = spec;
    if (spec.name == "*") named.name = "x";
    const ArgumentOwner checked_by{std::string(owner), std::span(&named, 1), {}};
    const auto checked = CheckArguments("f", checked_by, given);
    ASSERT_TRUE(checked.has_value()) << checked.error().message;
    EXPECT_EQ(given.children.size(), 1U) << owner << " " << spec.name;
  }
}

TEST(LoadTest, defaults_of_all_arguments_are_valid) {
  for (const PluginDescriptor& plugin : BuiltinPlugins())
    ExpectValidDefaults(plugin.name, plugin.arguments);
  for (const ActionDescriptor& action : BuiltinActions())
    ExpectValidDefaults(action.name, action.arguments);
}

}  // namespace
}  // namespace batholith
