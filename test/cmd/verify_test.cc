#include <gtest/gtest.h>

#include "cmd/commands.h"
#include "test/cmd/command_env.h"

namespace batholith {
namespace {

TEST(Verify, a_refused_object_is_told_of_where_the_scenario_passes) {
  const CommandFolder folder;
  const std::string file = folder.Write("s.yaml", R"(
apiVersion: batholith.dev/v1
kind: Scenario
metadata: {name: nobody-is-bound}
spec:
  objects: [{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {priority: high}}]
  expect: {bound: {count: 0}}
)");
  for (const char* output : {"text", "json"}) {
    const CommandResult result = RunCommand(VerifyCommand, {"-o", output, file});
    EXPECT_EQ(result.status, kDone);
    EXPECT_EQ(result.err, "warning: " + file +
                              ": nobody-is-bound: refused: spec.objects[0]: Pod p: spec.priority: "
                              "must be a whole number, is \"high\"\n");
  }
}

}  // namespace
}  // namespace batholith
