// What simulate shows a person: short whatever the input, and trees as trees.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cmd/commands.h"
#include "cmd/table/tree.h"
#include "test/cmd/command_env.h"

namespace batholith {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Node(const std::string& name) {
  return "---\n{apiVersion: v1, kind: Node, metadata: {name: " + name +
         "}, status: {allocatable: {cpu: 4, pods: 10}}}\n";
}

std::string Queue(const std::string& name, const std::string& spec) {
  return "---\n{apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: " + name +
         "}, spec: {" + spec + "}}\n";
}

std::string Job(const std::string& name, const std::string& queue, int pods,
                const std::string& cpu) {
  return "---\n{apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {namespace: a, name: " +
         name + "}, spec: {minAvailable: 1, schedulerName: volcano, queue: " + queue +
         ", tasks: [{name: t, replicas: " + std::to_string(pods) +
         ", template: {spec: {containers: [{name: c, resources: {requests: {cpu: '" + cpu +
         "'}}}]}}}]}}\n";
}

std::string Table(const std::string& manifests, std::vector<std::string> more = {},
                  std::string_view conf = kGangConf) {
  const CommandFolder folder;
  more.insert(more.end(), {"-f", folder.Write("m.yaml", manifests), "--scheduler-conf",
                           folder.Write("c.conf", conf)});
  const CommandResult result = RunCommand(SimulateCommand, more);
  EXPECT_EQ(result.status, kDone) << result.err;
  return result.out;
}

auto LinesOf(const std::string& text) { return std::ranges::count(text, '\n'); }

std::string ManyJobs() {
  std::string text = Node("n");
  for (int i = 0; i < 1010; ++i) text += Job("j" + std::to_string(i), "default", 1, "1");
  return text;
}

TEST(Table, of_1010_jobs_in_one_queue_fits_on_a_screen) {
  const std::string table = Table(ManyJobs());
  EXPECT_LT(LinesOf(table), 30) << table;
  EXPECT_THAT(table, HasSubstr("  default  Running  4     4 Running\n"));
  EXPECT_THAT(table, HasSubstr("  1010 jobs, one a line with --all\n"));
  EXPECT_THAT(table, HasSubstr("\nPENDING\n  1006 jobs with 1006 pods (a/j4, a/j5, ...): 0/1 "
                               "nodes are available: 1 Insufficient cpu"));
}

TEST(Table, has_a_line_for_each_where_that_is_asked_for) {
  const std::string table = Table(ManyJobs(), {"--all"});
  EXPECT_THAT(table, HasSubstr("  a/j7     default  Inqueue"));
  EXPECT_THAT(table, HasSubstr("  a/j7 (1 pod): 0/1 nodes are available: 1 Insufficient cpu"));
  EXPECT_GT(LinesOf(table), 2 * 1006);
}

TEST(Pending, stands_by_reason_with_the_most_common_first) {
  const std::string table = Table(Node("n") + Job("one", "default", 1, "8") +
                                  Job("many", "missing", 3, "1") + Job("more", "missing", 2, "1"));
  const std::size_t pending = table.find("PENDING\n");
  ASSERT_NE(pending, std::string::npos);
  EXPECT_THAT(table.substr(pending), HasSubstr("PENDING\n  2 jobs with 5 pods (a/many, a/more): "));
  EXPECT_THAT(table.substr(pending), HasSubstr("\n  a/one (1 pod): 0/1 nodes"));
}

// Each job's sentence has its own amounts; a person reads the reason once.
TEST(Pending, reasons_that_differ_in_amounts_stand_together_where_there_are_many) {
  std::string text = Node("n") + Queue("q", "capability: {cpu: 2}");
  for (int i = 0; i < 30; ++i)
    text += Job("j" + std::to_string(i), "q", 1, std::to_string(3000 + i) + "m");
  const std::string table = Table(
      text, {}, "actions: allocate\ntiers: [{plugins: [{name: gang}, {name: proportion}]}]\n");
  const std::string pending = table.substr(table.find("PENDING\n"));
  EXPECT_LT(LinesOf(pending), 5) << pending;
  EXPECT_THAT(pending, HasSubstr("30 jobs with 30 pods"));
}

// Of each job one pod wants a node that is not there and one is gated, in different order.
TEST(Pending, the_same_jobs_stand_once_with_all_their_reasons) {
  const auto pod = [](const std::string& name, const std::string& group, const std::string& more) {
    return "---\n{apiVersion: v1, kind: Pod, metadata: {namespace: a, name: " + name +
           ", annotations: {scheduling.k8s.io/group-name: " + group +
           "}}, spec: {schedulerName: volcano, " + more +
           "containers: [{name: c, resources: {requests: {cpu: 1}}}]}}\n";
  };
  const auto group = [](const std::string& name) {
    return "---\n{apiVersion: scheduling.volcano.sh/v1beta1, kind: PodGroup, metadata: {namespace: "
           "a, name: " +
           name + "}, spec: {minMember: 1}}\n";
  };
  const std::string gated = "schedulingGates: [{name: example.com/wait}], ";
  const std::string picky = "nodeSelector: {disk: ssd}, ";
  const std::string table =
      Table(Node("n") + group("x") + group("y") + pod("x-0", "x", picky) + pod("x-1", "x", gated) +
            pod("y-0", "y", gated) + pod("y-1", "y", picky));
  EXPECT_THAT(table, HasSubstr("PENDING\n"
                               "  2 jobs with 4 pods (a/x, a/y):\n"
                               "    2 pods: 0/1 nodes are available: 1 node(s) didn't match Pod's "
                               "node affinity/selector\n"
                               "    2 pods: waits for scheduling gates: example.com/wait\n"));
}

const std::string kTree = Node("n") + Queue("research", "parent: root, deserved: {cpu: 3}") +
                          Queue("vision", "parent: research, deserved: {cpu: 2}") +
                          Queue("speech", "parent: research, deserved: {cpu: 1}") +
                          Queue("web", "deserved: {cpu: 1}") + Job("v", "vision", 2, "1") +
                          Job("s", "speech", 1, "1");
constexpr std::string_view kTreeConf =
    "actions: allocate\ntiers: [{plugins: [{name: gang}, {name: capacity, enableHierarchy: true}, "
    "{name: predicates}]}]\n";

TEST(QueueTable, draws_a_tree_with_parents_and_totals) {
  const std::string table = Table(kTree, {}, kTreeConf);
  EXPECT_THAT(table, HasSubstr(R"(
QUEUES
  NAME       PARENT    STATE  WEIGHT  DESERVED  ALLOCATED  TOTAL  SHARE
  research   root      Open   1       cpu=3     -          cpu=3  ########## 100%
  ├─ vision  research  Open   1       cpu=2     cpu=2      cpu=2  ########## 100%
  └─ speech  research  Open   1       cpu=1     cpu=1      cpu=1  ########## 100%
  web        -         Open   1       cpu=1     -          -      ..........   0%
)"));
}

std::string InHierarchy(const std::string& name, const std::string& path,
                        const std::string& weights) {
  return "---\n{apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: " + name +
         ", annotations: {volcano.sh/hierarchy: " + path +
         ", volcano.sh/hierarchy-weights: " + weights + "}}, spec: {}}\n";
}

// 8 cpus: dev holds 3, prod 1, eng nothing. science 4 of 8.
TEST(Hierarchy, is_drawn_with_weights_and_shares) {
  const std::string table = Table(
      Node("n") + Node("m") + InHierarchy("dev", "root/science/dev", "1/2/4") +
      InHierarchy("prod", "root/science/prod", "1/2/8") + InHierarchy("eng", "root/eng", "1/3") +
      Job("d", "dev", 3, "1") + Job("p", "prod", 1, "1"));
  EXPECT_THAT(table, HasSubstr(R"(
HIERARCHY (of plugin drf with enableHierarchy)
  NAME        WEIGHT  QUEUE  ALLOCATED  SHARE
  root        1       -      cpu=4      50.0%
  ├─ science  2       -      cpu=4      50.0%
  │  ├─ dev   4       dev    cpu=3      37.5%
  │  └─ prod  8       prod   cpu=1      12.5%
  └─ eng      3       eng    -          0.0%
)"));
}

// A leaves 4 of its min unused: 4 × 4/6 = 2.67 and 4 × 2/6 = 1.33, rounded down to whole pieces.
TEST(QuotaTable, shows_the_guaranteed_over_quota_where_quotas_have_one) {
  const auto quota = [](const std::string& group, const std::string& space, int min) {
    return "---\n{apiVersion: " + group +
           "/v1alpha1, kind: ElasticQuota, metadata: {namespace: " + space +
           ", name: q}, spec: {min: {nvidia.com/gpu: " + std::to_string(min) + "}}}\n";
  };
  constexpr std::string_view kQuotaConf =
      "actions: allocate\ntiers: [{plugins: [{name: gang}, {name: elasticquota}, {name: "
      "predicates}]}]\n";
  const std::string used =
      "---\n{apiVersion: v1, kind: Pod, metadata: {namespace: b, name: p}, spec: {schedulerName: "
      "volcano, nodeName: n, containers: [{name: c, resources: {requests: {nvidia.com/gpu: 2}, "
      "limits: {nvidia.com/gpu: 2}}}]}, status: {phase: Running}}\n";
  const std::string nos =
      Table(Node("n") + quota("nos.nebuly.com", "a", 4) + quota("nos.nebuly.com", "b", 2) + used,
            {}, kQuotaConf);
  EXPECT_THAT(nos, HasSubstr("RUNTIME  BORROWED  GUARANTEED OVER-QUOTA\n"));
  EXPECT_THAT(nos, ::testing::ContainsRegex("\n  a/q .* gpu=2\n  b/q .* gpu=1\n"));
  const std::string plain = Table(Node("n") + quota("scheduling.x-k8s.io", "a", 4) +
                                      quota("scheduling.x-k8s.io", "b", 2) + used,
                                  {}, kQuotaConf);
  EXPECT_THAT(plain, HasSubstr("RUNTIME  BORROWED\n"));
}

TEST(QueueTable, without_parents_is_flat) {
  const std::string table = Table(Node("n") + Queue("a", "weight: 2") + Job("j", "a", 1, "1"));
  EXPECT_THAT(table, HasSubstr("  NAME  STATE  WEIGHT  DESERVED  ALLOCATED  SHARE\n"));
  EXPECT_THAT(table, Not(HasSubstr("PARENT")));
}

TEST(Table, has_more_columns_with_wide) {
  const std::string table = Table(kTree, {"-o=wide"}, kTreeConf);
  EXPECT_THAT(table, HasSubstr("SHARE            REQUEST  CAPABILITY  JOBS\n"));
  EXPECT_THAT(table, HasSubstr("PODS       SHARE  WHY IT WAITS\n"));
}

std::string Drawn(const std::vector<NamedParent>& all) {
  std::string text;
  for (const TreeLine& line : DrawTree(all)) text += line.branch + all[line.index].name + "\n";
  return text;
}

TEST(Tree, is_drawn_whatever_the_parents_are) {
  EXPECT_EQ(Drawn({{"a", ""}, {"b", "gone"}}), "a\nb\n");
  EXPECT_EQ(Drawn({{"b", "a"}, {"a", ""}, {"c", "b"}, {"d", "a"}}), "a\n├─ b\n│  └─ c\n└─ d\n");
  EXPECT_EQ(Drawn({{"a", "b"}, {"b", "a"}, {"c", "b"}}), "a\n└─ b\n   └─ c\n") << "a cycle";
  EXPECT_EQ(Drawn({{"a", "a"}}), "a\n");
  EXPECT_EQ(Drawn({{"a", ""}, {"root", ""}}), "root\n└─ a\n");
  EXPECT_FALSE(IsTree(std::vector<NamedParent>{{"a", ""}, {"b", "root"}}));
}

TEST(Tree, of_a_long_chain_costs_little) {
  std::vector<NamedParent> all{{"q0", ""}};
  for (int i = 1; i < 50'000; ++i)
    all.push_back({"q" + std::to_string(i), "q" + std::to_string(i - 1)});
  const std::vector<TreeLine> lines = DrawTree(all);
  EXPECT_EQ(lines.size(), all.size());
  EXPECT_LT(lines.back().branch.size(), 200);
}

// Refused by simulate and verify, which say how a daemon takes it.
TEST(Lenient, does_as_the_daemon) {
  const CommandFolder folder;
  const std::string nodes = folder.Write("m.yaml", Node("n"));
  const std::string conf = folder.Write("c.conf", "actions: \"allocate, gangpreempt\"\n");
  const CommandResult refused =
      RunCommand(SimulateCommand, {"-f", nodes, "--scheduler-conf", conf});
  EXPECT_EQ(refused.status, kBadInput);
  EXPECT_THAT(refused.err, HasSubstr("c.conf:1: action gangpreempt is known, but this build does "
                                     "not have it yet (--lenient leaves it out"));
  const CommandResult lenient =
      RunCommand(SimulateCommand, {"-f", nodes, "--scheduler-conf", conf, "--lenient"});
  EXPECT_EQ(lenient.status, kDone);
  EXPECT_THAT(lenient.err, HasSubstr("warning: " + conf + ":1: action gangpreempt is known"));
  const std::string scenario = folder.Write("s.yaml", R"(
apiVersion: batholith.dev/v1
kind: Scenario
metadata: {name: s}
spec:
  conf: {actions: "allocate, gangpreempt"}
  nodes: [{name: n, cpu: 1}]
  expect: {bound: {count: 0}}
)");
  EXPECT_EQ(RunCommand(VerifyCommand, {scenario}).status, kAnswerIsNo);
  const CommandResult passed = RunCommand(VerifyCommand, {scenario, "--lenient"});
  EXPECT_EQ(passed.status, kDone) << passed.out << passed.err;
}

// A dump of a daemon has its conf as it was written.
TEST(Lenient, is_replay_with_the_recorded_conf) {
  const CommandFolder folder;
  const std::string nodes = folder.Write("m.yaml", Node("n") + Job("j", "default", 1, "1"));
  const std::string conf = folder.Write("c.conf", "actions: \"allocate, gangpreempt\"\n");
  const std::string dump = folder.Write("dump", "");
  RunCommand(SimulateCommand, {"-f", nodes, "--scheduler-conf", conf, "--lenient", "--dump", dump});
  EXPECT_EQ(RunCommand(ReplayCommand, {dump}).status, kDone);
  EXPECT_EQ(RunCommand(ReplayCommand, {dump, "--scheduler-conf", conf}).status, kBadInput);
  EXPECT_EQ(RunCommand(ReplayCommand, {dump, "--lenient", "--scheduler-conf", conf}).status, kDone);
}

}  // namespace
}  // namespace batholith
