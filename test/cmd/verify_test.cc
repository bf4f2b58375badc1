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

// The node is cordoned only in the mind of who wrote it: the pod is bound, as the scenario says.
constexpr const char* kMisspelt = R"(
apiVersion: batholith.dev/v1
kind: Scenario
metadata: {name: cordoned}
spec:
  objects:
  - {apiVersion: v1, kind: Node, metadata: {name: n1}, spec: {unscheduleable: true}, status: {allocatable: {cpu: 1, pods: 9}}}
  jobs: [{name: p, cpu: 1}]
  expect: {bound: {pods: {default/p-0: n1}}}
)";
constexpr const char* kMisspeltField =
    "spec.objects[0]: Node n1: spec.unscheduleable: unknown field; did you mean \"unschedulable\"?";

TEST(Verify, an_unknown_field_of_an_object_is_told_of_where_the_scenario_passes) {
  const CommandFolder folder;
  const std::string file = folder.Write("s.yaml", kMisspelt);
  const CommandResult result = RunCommand(VerifyCommand, {file});
  EXPECT_EQ(result.status, kDone);
  EXPECT_EQ(result.out, "1 passed, 0 failed\n");
  EXPECT_EQ(result.err, "warning: " + file + ": cordoned: " + kMisspeltField + "\n");
}

TEST(Verify, an_unknown_field_of_an_object_fails_its_scenario_under_strict) {
  const CommandFolder folder;
  const std::string file = folder.Write("s.yaml", kMisspelt);
  const CommandResult result = RunCommand(VerifyCommand, {"--strict", file});
  EXPECT_EQ(result.status, kAnswerIsNo);
  EXPECT_EQ(result.out,
            "FAILED " + file +
                ": cordoned\n  expected the objects are accepted (--strict)\n       got " +
                kMisspeltField + "\n0 passed, 1 failed\n");
  EXPECT_EQ(result.err, "");
}

}  // namespace
}  // namespace batholith
