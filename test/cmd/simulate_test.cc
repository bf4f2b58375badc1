#include <gtest/gtest.h>

#include "cmd/commands.h"
#include "test/cmd/command_env.h"

namespace batholith {
namespace {

constexpr std::string_view kNode =
    "{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: 4, pods: 10}}}";

TEST(Simulate, bad_usage_is_status_2_with_a_reason) {
  const CommandFolder folder;
  const std::string file = folder.Write("n.yaml", kNode);
  struct Row {
    std::vector<std::string> arguments;
    std::string_view expected;
  };
  const std::vector<Row> rows{
      {{}, "at least one -f PATH is required"},
      {{"-f", "-", "--watch"}, "--watch: standard input cannot be read again; name files"},
      {{"-f", file, "--cycle", "2"}, "unknown flag --cycle; did you mean \"--cycles\""},
      {{"-f", file, "--cycles", "-1"}, "--cycles -1: must be a number or idle"},
      {{"-f", file, "--period", "0s"}, "--period 0s: no duration"},
      {{"-f", file, "-o", "xml"}, "--output xml: must be table, json or yaml"},
      {{"-f", file, "--threads", "0"}, "--threads must be at least 1"},
      {{"-f", file + ".gone"}, ".gone: cannot be read"},
  };
  for (const Row& row : rows) {
    const CommandResult result = RunCommand(SimulateCommand, row.arguments);
    EXPECT_EQ(result.status, kBadInput) << row.expected;
    EXPECT_NE(result.err.find(row.expected), std::string::npos) << result.err;
    EXPECT_EQ(result.out, "");
  }
}

}  // namespace
}  // namespace batholith
