// queue, job and quota over manifests: what a cluster would hold after the sessions that simulate
// runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cmd/commands.h"
#include "test/cmd/command_env.h"

namespace batholith {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kOfflineCluster = R"(
{apiVersion: v1, kind: Node, metadata: {name: n}, status: {allocatable: {cpu: 4, pods: 10}}}
---
apiVersion: scheduling.volcano.sh/v1beta1
kind: Queue
metadata: {name: research, labels: {team: r}}
spec: {weight: 3, parent: root}
---
apiVersion: scheduling.volcano.sh/v1beta1
kind: Queue
metadata: {name: vision, labels: {team: v}}
spec: {parent: research, capability: {cpu: 3}}
---
apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {namespace: a, name: runs}
spec:
  {minAvailable: 2, schedulerName: volcano, queue: vision, tasks: [{name: t, replicas: 2, template:
  {spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}}]}
---
apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {namespace: a, name: waits}
spec:
  {minAvailable: 1, schedulerName: volcano, queue: research, tasks: [{name: t, replicas: 1, template:
  {spec: {containers: [{name: c, resources: {requests: {cpu: 5}}}]}}}]}
)";

CommandResult Asked(int (*command)(const std::vector<std::string>&),
                    std::vector<std::string> arguments,
                    std::string_view manifests = kOfflineCluster,
                    std::string_view conf = kGangConf) {
  const CommandFolder folder;
  arguments.insert(arguments.end(), {"-f=" + folder.Write("m.yaml", manifests),
                                     "--scheduler-conf=" + folder.Write("c.conf", conf)});
  return RunCommand(command, arguments);
}

TEST(Offline, queues_are_listed_with_their_groups_and_as_a_tree) {
  EXPECT_THAT(Asked(QueueCommand, {"list"}).out, HasSubstr(R"(
research   3        Open    root       1         0         0         0         0
vision     1        Open    research   0         0         1         0         0
)"));
  const std::string tree = Asked(QueueCommand, {"list", "-o=tree"}).out;
  EXPECT_THAT(tree, HasSubstr("COMPLETED   RECLAIMABLE"));
  EXPECT_THAT(tree, HasSubstr("   HIERARCHY WEIGHT   TOTAL\n"));
  EXPECT_THAT(tree, HasSubstr("\nresearch    3        Open    root"));
  EXPECT_THAT(tree, HasSubstr("\n└─ vision   1        Open    research"));
  EXPECT_THAT(tree, HasSubstr("   -                  cpu=2,pods=2\n└─ "))
      << "what research has below it";
}

TEST(Offline, the_outputs_are_those_of_a_cluster) {
  EXPECT_EQ(Asked(QueueCommand, {"list", "-o=name", "-l", "team=v"}).out,
            "queue.scheduling.volcano.sh/vision\n");
  EXPECT_EQ(Asked(QueueCommand, {"list", "-o=name", "-l", "team!=v,team"}).out,
            "queue.scheduling.volcano.sh/research\n");
  const std::string json = Asked(QueueCommand, {"get", "vision", "-o", "json"}).out;
  EXPECT_THAT(json, HasSubstr("\n    \"kind\": \"Queue\",\n"));
  EXPECT_THAT(json, HasSubstr("\"cpu\": \"2\""));
  EXPECT_THAT(Asked(QueueCommand, {"get", "vision", "-o", "yaml"}).out, HasSubstr("\nkind: Queue"));
  EXPECT_THAT(Asked(QueueCommand, {"list", "-o", "tre"}).err, HasSubstr("did you mean \"tree\"?"));
}

// Whoever has no queue of its own in the hierarchy stands there with its weight all the same.
TEST(Offline, a_hierarchy_of_annotations_is_a_tree_too) {
  constexpr std::string_view kHierarchy = R"(
apiVersion: scheduling.volcano.sh/v1beta1
kind: Queue
metadata:
  name: dev-queue
  annotations: {volcano.sh/hierarchy: root/science/dev, volcano.sh/hierarchy-weights: 1/2/4}
spec: {}
---
apiVersion: scheduling.volcano.sh/v1beta1
kind: Queue
metadata:
  name: eng
  annotations: {volcano.sh/hierarchy: root/eng, volcano.sh/hierarchy-weights: 1/3}
spec: {weight: 5}
)";
  const std::string tree = Asked(QueueCommand, {"list", "-o=tree"}, kHierarchy).out;
  EXPECT_THAT(tree, HasSubstr("\neng            5        Open    -"));
  EXPECT_THAT(tree, HasSubstr("   3                  -\nscience        -        -  "));
  EXPECT_THAT(tree, HasSubstr("   2                  -\n└─ dev-queue   1        Open "));
  EXPECT_THAT(tree, HasSubstr("   4                  -\n"));
}

// 4 cpus for two queues of one weight that ask for 3 and 2: each deserves 2, so that of the 3 pods
// of small 2 have a place. Of slots each deserves what it asks for.
TEST(Offline, a_queue_is_explained) {
  constexpr std::string_view kShared = R"(
{apiVersion: v1, kind: Node, metadata: {name: n}, status: {allocatable: {cpu: 4, pods: 10}}}
---
apiVersion: scheduling.volcano.sh/v1beta1
kind: Queue
metadata: {name: left}
spec: {weight: 1, capability: {cpu: 3}}
---
apiVersion: scheduling.volcano.sh/v1beta1
kind: Queue
metadata: {name: right}
spec: {weight: 1, reclaimable: false}
---
apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {namespace: a, name: small}
spec:
  {minAvailable: 1, schedulerName: volcano, queue: left, tasks: [{name: t, replicas: 3, template:
  {spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}}]}
---
apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {namespace: b, name: two}
spec:
  {minAvailable: 1, schedulerName: volcano, queue: right, tasks: [{name: t, replicas: 2, template:
  {spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}}]}
)";
  constexpr std::string_view kShares =
      "actions: allocate\ntiers: [{plugins: [{name: gang}, {name: predicates}, {name: "
      "proportion}]}]\n";
  const CommandResult left = Asked(QueueCommand, {"explain", "left"}, kShared, kShares);
  EXPECT_EQ(left.status, kDone) << left.err;
  EXPECT_EQ(left.out, R"(Queue:       left
State:       Open
Weight:      1
Share:       100%

  RESOURCE   ALLOCATED   INQUEUE   REQUEST   DESERVED   GUARANTEE   CAPABILITY   LEFT
  cpu        2           0         3         2          -           3            1
  pods       2           0         3         3          -           -            no limit

  NAMESPACE   JOBS   PODS PLACED   PODS WAITING   HOLDS
  a           1      2             1              cpu=2

  JOB       PHASE     PODS PLACED   PODS WAITING   HOLDS
  a/small   Running   2             1              cpu=2

Jobs that wait: 1 of 1

The next of them, by priority and age, is a/small:
  1 pod (a/small-t-2): queue left is at its limit: insufficient cpu (2 held + 1 asked > 2)
)");
  EXPECT_THAT(Asked(QueueCommand, {"explain", "right"}, kShared, kShares).out,
              HasSubstr("\nReclaimable: no: nothing is taken back from it\n"));
}

TEST(Offline, a_queue_is_explained_with_its_place_in_the_tree_and_its_next_job) {
  EXPECT_THAT(Asked(QueueCommand, {"explain", "vision"}).out,
              HasSubstr("Queue:       root / research / vision\nState:       Open\n"));
  const std::string research = Asked(QueueCommand, {"explain", "research"}).out;
  EXPECT_THAT(research, HasSubstr("Queue:       root / research\nBelow it:    vision\n"));
  EXPECT_THAT(research, HasSubstr(R"(
Jobs that wait: 1 of 1

The next of them, by priority and age, is a/waits:
  Unschedulable (NotEnoughResources): 1/1 tasks in gang unschedulable: 0/1 nodes are available: 1 Insufficient cpu
  1 pod (a/waits-t-0): 0/1 nodes are available: 1 Insufficient cpu
)"));
  const CommandResult gone = Asked(QueueCommand, {"explain", "visoin"});
  EXPECT_EQ(gone.status, kAnswerIsNo);
  EXPECT_THAT(gone.err, HasSubstr("visoin"));
}

TEST(Offline, a_job_is_explained) {
  const CommandResult waits = Asked(JobCommand, {"explain", "a/waits"});
  EXPECT_EQ(waits.status, kDone) << waits.err;
  EXPECT_THAT(waits.out, HasSubstr("Job:         a/waits\nPhase:       Inqueue\n"));
  EXPECT_THAT(waits.out,
              HasSubstr("\n  1 pod (a/waits-t-0): 0/1 nodes are available: 1 Insufficient "
                        "cpu\n"));
  EXPECT_THAT(waits.out, HasSubstr("\nQueue research:\n  Open, weight 3\n"));
  EXPECT_THAT(Asked(JobCommand, {"explain", "runs", "-n=a"}).out,
              HasSubstr("it does not: every pod has its place"));
  const CommandResult gone = Asked(JobCommand, {"explain", "a/gone"});
  EXPECT_EQ(gone.status, kAnswerIsNo);
  EXPECT_THAT(gone.err, HasSubstr("job a/gone not found"));
  const CommandResult list = Asked(JobCommand, {"list"});
  EXPECT_THAT(list.out, HasSubstr("\na           runs    "));
  EXPECT_EQ(list.err, "");
}

TEST(Offline, quotas_are_listed_and_explained) {
  constexpr std::string_view kQuotas = R"(
{apiVersion: v1, kind: Node, metadata: {name: n}, status: {allocatable: {cpu: 4, pods: 10}}}
---
apiVersion: scheduling.x-k8s.io/v1alpha1
kind: ElasticQuota
metadata: {namespace: a, name: q}
spec: {min: {cpu: 1}, max: {cpu: 1}}
---
apiVersion: v1
kind: Pod
metadata: {namespace: a, name: p, creationTimestamp: '2026-01-01T00:00:00Z'}
spec: {schedulerName: volcano, containers: [{name: c, resources: {requests: {cpu: 1}}}]}
---
apiVersion: v1
kind: Pod
metadata: {namespace: a, name: waits, creationTimestamp: '2026-01-01T00:00:01Z'}
spec: {schedulerName: volcano, containers: [{name: c, resources: {requests: {cpu: 1}}}]}
)";
  constexpr std::string_view kWithQuotas =
      "actions: allocate\ntiers: [{plugins: [{name: elasticquota}, {name: predicates}]}]\n";
  const CommandResult list = Asked(QuotaCommand, {"list"}, kQuotas, kWithQuotas);
  EXPECT_THAT(list.out, HasSubstr("\na           q      ElasticQuota   scheduler-plugins   cpu=1   "
                                  "cpu=1   cpu=1"))
      << list.err;
  const CommandResult why = Asked(QuotaCommand, {"explain", "a/q"}, kQuotas, kWithQuotas);
  EXPECT_THAT(why.out, HasSubstr("Pods that wait: 1 of 2\n  1 pod (a/waits): ")) << why.err;
}

// a uses none of its 4, b its 2: a's part of the unused 4 is 4 × 4/6, rounded down.
TEST(Offline, a_quota_of_nos_is_explained_with_its_guaranteed_over_quota) {
  constexpr std::string_view kQuotas = R"(
{apiVersion: v1, kind: Node, metadata: {name: n}, status: {allocatable: {nvidia.com/gpu: 8, pods: 10}}}
---
{apiVersion: nos.nebuly.com/v1alpha1, kind: ElasticQuota, metadata: {namespace: a, name: q}, spec: {min: {nvidia.com/gpu: 4}}}
---
{apiVersion: nos.nebuly.com/v1alpha1, kind: ElasticQuota, metadata: {namespace: b, name: q}, spec: {min: {nvidia.com/gpu: 2}}}
---
apiVersion: v1
kind: Pod
metadata: {namespace: b, name: p}
spec:
  schedulerName: volcano
  nodeName: n
  containers: [{name: c, resources: {requests: {nvidia.com/gpu: 2}, limits: {nvidia.com/gpu: 2}}}]
status: {phase: Running}
)";
  constexpr std::string_view kWithQuotas =
      "actions: allocate\ntiers: [{plugins: [{name: elasticquota}, {name: predicates}]}]\n";
  const CommandResult why = Asked(QuotaCommand, {"explain", "a/q"}, kQuotas, kWithQuotas);
  EXPECT_THAT(why.out, HasSubstr("   POOL LEFT   GUARANTEED OVER-QUOTA\n")) << why.err;
  EXPECT_THAT(why.out, ::testing::ContainsRegex("\n  nvidia.com/gpu +0 +4 .* +4 +2\n")) << why.out;
}

TEST(Offline, nothing_is_written_and_nothing_watched) {
  EXPECT_THAT(Asked(QueueCommand, {"list", "--watch"}).err,
              HasSubstr("manifests (-f) do not change"));
  EXPECT_THAT(Asked(QueueCommand, {"delete", "vision"}).err, HasSubstr("unknown flag -f"));
  const CommandResult broken = Asked(QueueCommand, {"list"}, "{kind: [");
  EXPECT_EQ(broken.status, kBadInput);
  EXPECT_THAT(broken.err, HasSubstr("m.yaml"));
}

}  // namespace
}  // namespace batholith
