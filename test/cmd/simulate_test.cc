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
      {{"-f", file, "--cycles", "-1"}, "--cycles -1: must be a number from 0 to 999999, or idle"},
      {{"-f", file, "--period", "0s"}, "--period 0s: must be a duration"},
      {{"-f", file, "-o", "xml"}, "--output xml: must be table, wide, json or yaml"},
      {{"-f", file, "--threads", "0"}, "--threads must be at least 1"},
      {{"-f", file, "--threads=-1"}, "--threads must be at least 1"},
      {{"-f", file, "--threads", "many"}, "('many') for option '--threads' is invalid"},
      {{"-f", file + ".gone"}, ".gone: cannot be read"},
  };
  for (const Row& row : rows) {
    const CommandResult result = RunCommand(SimulateCommand, row.arguments);
    EXPECT_EQ(result.status, kBadInput) << row.expected;
    EXPECT_NE(result.err.find(row.expected), std::string::npos) << result.err;
    EXPECT_EQ(result.out, "");
  }
}

TEST(Simulate, a_refused_input_leaves_the_file_of_the_dump_alone) {
  const CommandFolder folder;
  const std::string bad = folder.Write("bad.yaml", "{apiVersion: v1, kind: Node, metadata: {}}");
  const std::string kept = folder.Write("kept", "of yesterday\n");
  const std::string fresh = kept + ".fresh";
  for (const std::string& dump : {kept, fresh})
    EXPECT_EQ(RunCommand(SimulateCommand, {"-f", bad, "--dump", dump}).status, kBadInput);
  std::ifstream in(kept);
  std::string line;
  EXPECT_TRUE(std::getline(in, line));
  EXPECT_EQ(line, "of yesterday");
  EXPECT_FALSE(std::filesystem::exists(fresh));
  const std::string good = folder.Write("n.yaml", kNode);
  EXPECT_EQ(RunCommand(SimulateCommand, {"-f", good, "--dump", fresh}).status, kDone);
  EXPECT_GT(std::filesystem::file_size(fresh), 0U);
  const CommandResult refused =
      RunCommand(SimulateCommand, {"-f", good, "--dump", kept + ".gone/dump"});
  EXPECT_EQ(refused.err, "batholith simulate: " + kept + ".gone/dump: cannot be written\n");
}

constexpr std::string_view kOthers = R"(
---
{apiVersion: v1, kind: Pod, metadata: {name: x}, spec: {schedulerName: vocalno, containers: [{name: c}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: y}, spec: {containers: [{name: c}]}}
)";

TEST(Simulate, pods_of_other_schedulers_are_counted_and_named) {
  const CommandFolder folder;
  const std::string file = folder.Write("o.yaml", std::string(kNode) + std::string(kOthers));
  const CommandResult result = RunCommand(SimulateCommand, {"-f", file});
  EXPECT_EQ(result.status, kDone);
  EXPECT_NE(result.out.find("nothing: every pod of ours has its place\n\n"
                            "PODS OF OTHER SCHEDULERS\n"
                            "  default-scheduler: 1 pod, 1 without a place (default/y)\n"
                            "  vocalno: 1 pod, 1 without a place (default/x); did you mean "
                            "\"volcano\"?\n"),
            std::string::npos)
      << result.out;
}

// A job that may wait for ten minutes longer than the run.
TEST(Simulate, delays_that_outlast_the_run_are_told_once) {
  const CommandFolder folder;
  const std::string file = folder.Write("m.yaml", std::string(kNode) + R"(
---
apiVersion: scheduling.volcano.sh/v1beta1
kind: PodGroup
metadata: {namespace: a, name: g, annotations: {sla-waiting-time: 70m}}
spec: {minMember: 2}
---
apiVersion: v1
kind: Pod
metadata: {namespace: a, name: p, annotations: {scheduling.k8s.io/group-name: g}}
spec: {schedulerName: volcano, containers: [{name: c}]}
)");
  const std::string conf = folder.Write(
      "c.conf", "actions: allocate\ntiers: [{plugins: [{name: sla}, {name: gang}]}]\n");
  const CommandResult soon =
      RunCommand(SimulateCommand, {"-f", file, "--scheduler-conf", conf, "--cycles", "10"});
  EXPECT_EQ(soon.err,
            "warning: sla-waiting-time is 4200s, and the last session is 9s after the first: job "
            "a/g waits and has not waited so long yet (simulate longer: --cycles, --period)\n");
  const CommandResult later = RunCommand(
      SimulateCommand, {"-f", file, "--scheduler-conf", conf, "--cycles", "10", "--period", "2m"});
  EXPECT_EQ(later.err, "");
}

TEST(Simulate, pods_of_other_schedulers_stand_in_json_and_yaml) {
  const CommandFolder folder;
  const std::string file = folder.Write("o.yaml", std::string(kNode) + std::string(kOthers));
  const CommandResult json = RunCommand(SimulateCommand, {"-f", file, "-o", "json"});
  EXPECT_NE(
      json.out.find(R"("otherSchedulers":[)"
                    R"({"schedulerName":"default-scheduler","pods":1,"waiting":["default/y"]},)"
                    R"({"schedulerName":"vocalno","pods":1,"waiting":["default/x"]}])"),
      std::string::npos)
      << json.out;
  EXPECT_EQ(json.err, "");
  const CommandResult yaml =
      RunCommand(SimulateCommand, {"-f", file, "-o", "yaml", "--scheduler-name",
                                   "default-scheduler", "--scheduler-name", "vocalno"});
  EXPECT_NE(yaml.out.find("otherSchedulers: []\n"), std::string::npos) << yaml.out;
}

TEST(Simulate, a_pod_of_a_scheduler_that_nobody_was_told_of_is_pending) {
  const CommandFolder folder;
  const std::string file = folder.Write("o.yaml", std::string(kNode) + std::string(kOthers));
  const auto status = [&file](std::vector<std::string> more) {
    more.insert(more.begin(), {"-f", file});
    return RunCommand(SimulateCommand, more).status;
  };
  EXPECT_EQ(status({"--fail-on-pending"}), kAnswerIsNo);
  EXPECT_EQ(status({"--fail-on-pending", "--other-scheduler-name", "vocalno"}), kDone);
  EXPECT_EQ(status({"--fail-on-pending=all", "--other-scheduler-name", "vocalno"}), kAnswerIsNo);
  EXPECT_EQ(status({"--fail-on-pending=some"}), kBadInput);
  EXPECT_EQ(status({}), kDone);
}

TEST(Simulate, what_is_left_out_is_counted_and_refused_where_it_is_read_strictly) {
  const CommandFolder folder;
  const std::string file = folder.Write(
      "l.yaml", std::string(kNode) +
                    "\n---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}\n---\n"
                    "{apiVersion: spark.io/v1, kind: Spark, metadata: {name: s}}\n");
  const CommandResult result = RunCommand(SimulateCommand, {"-f", file});
  EXPECT_EQ(result.status, kDone);
  EXPECT_EQ(result.err, "warning: " + file +
                            ": document 3: Spark s: kind Spark of group spark.io is not read: left "
                            "out\nleft out: 2 object(s) that nobody reads: 1 ConfigMap, 1 "
                            "Spark.spark.io\n");
  EXPECT_EQ(RunCommand(SimulateCommand, {"-f", file, "--strict"}).status, kBadInput);
}

TEST(Simulate, of_many_refused_objects_the_first_are_told) {
  const CommandFolder folder;
  std::string text;
  for (int i = 0; i < 60; ++i) text += "---\n{apiVersion: v1, kind: Pod, spec: {}}\n";
  const CommandResult result = RunCommand(SimulateCommand, {"-f", folder.Write("m.yaml", text)});
  EXPECT_EQ(result.status, kBadInput);
  EXPECT_NE(result.err.find("60 object(s) refused\n"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("document 50: Pod: metadata.name: is missing\n  and 10 more\n"),
            std::string::npos)
      << result.err;
}

TEST(Simulate, an_input_without_objects_is_status_2) {
  const CommandFolder folder;
  const std::string file = folder.Write("empty.yaml", "");
  const CommandResult result = RunCommand(SimulateCommand, {"-f", file});
  EXPECT_EQ(result.status, kBadInput);
  EXPECT_EQ(result.err, "batholith simulate: " + file + ": holds no object\n");
}

TEST(Simulate, queues_of_a_cycle_are_warned_of_and_the_pod_waits_with_its_reason) {
  const CommandFolder folder;
  const std::string file = folder.Write("c.yaml", std::string(kNode) + R"(
---
{apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: a}, spec: {parent: b}}
---
{apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: b}, spec: {parent: a}}
---
apiVersion: v1
kind: Pod
metadata: {name: p, annotations: {scheduling.volcano.sh/queue-name: a}}
spec: {schedulerName: volcano, containers: [{resources: {requests: {cpu: 1}}}]}
)");
  const std::string conf = folder.Write("conf.yaml", R"(
actions: "enqueue, allocate"
tiers: [{plugins: [{name: gang}, {name: predicates}, {name: nodegroup}]}]
)");
  const CommandResult result =
      RunCommand(SimulateCommand, {"-f", file, "--scheduler-conf", conf, "--fail-on-pending"});
  EXPECT_EQ(result.status, kAnswerIsNo);
  EXPECT_EQ(result.err, "warning: Queue a: spec.parent: a cycle: a -> b -> a\n");
  EXPECT_NE(result.out.find("0/1 nodes are available"), std::string::npos) << result.out;
}

}  // namespace
}  // namespace batholith
