#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "actions/builtin.h"
#include "conf/load.h"
#include "plugins/builtin.h"
#include "test/conf/parse_env.h"

namespace batholith {
namespace {

std::string ErrorOf(int actions) {
  std::string text = "actions: \"enqueue";
  for (int i = 1; i < actions; ++i) text += ", allocate";
  const Result<SchedulerConf> conf = Parse(text + "\"\ntiers: [{plugins: [{name: gang}]}]");
  return conf ? "" : conf.error().message;
}

// Some confs name allocate twice, and a million times is one text of 10 MB that a session works
// off.
TEST(Conflicts, actions_are_as_many_as_a_session_can_run) {
  EXPECT_EQ(ErrorOf(50), "");
  EXPECT_EQ(ErrorOf(51), "c.yaml:1: `actions` has 51 entries, at most 50 may be");
}

// What a quota refuses is one plugin's word: a second owner would be asked nothing.
TEST(Conflicts, quotas_have_one_owner) {
  std::vector<PluginDescriptor> plugins(BuiltinPlugins().begin(), BuiltinPlugins().end());
  const auto quotas = std::ranges::find(plugins, true, &PluginDescriptor::owns_quotas);
  ASSERT_NE(quotas, plugins.end());
  PluginDescriptor second = *quotas;
  second.name = "secondquota";
  plugins.push_back(second);
  const Result<SchedulerConf> conf = ParseConf(
      "actions: allocate\ntiers:\n- plugins:\n  - name: elasticquota\n- plugins:\n"
      "  - name: secondquota\n",
      "c.yaml", {plugins, BuiltinActions()});
  ASSERT_FALSE(conf);
  EXPECT_EQ(conf.error().message,
            "c.yaml:6: plugins elasticquota and secondquota conflict: elastic quotas are judged by "
            "one plugin");
}

}  // namespace
}  // namespace batholith
