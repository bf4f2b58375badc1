#include <gtest/gtest.h>

#include "actions/builtin.h"
#include "conf/load.h"
#include "plugins/builtin.h"

namespace batholith {
namespace {

std::string ErrorOf(int actions) {
  std::string text = "actions: \"enqueue";
  for (int i = 1; i < actions; ++i) text += ", allocate";
  const Result<SchedulerConf> conf = ParseConf(text + "\"\ntiers: [{plugins: [{name: gang}]}]",
                                               "c.yaml", {BuiltinPlugins(), BuiltinActions()});
  return conf ? "" : conf.error().message;
}

// Some confs name allocate twice, and a million times is one text of 10 MB that a session works
// off.
TEST(Conflicts, actions_are_as_many_as_a_session_can_run) {
  EXPECT_EQ(ErrorOf(50), "");
  EXPECT_EQ(ErrorOf(51), "c.yaml:1: `actions` has 51 entries, at most 50 may be");
}

}  // namespace
}  // namespace batholith
