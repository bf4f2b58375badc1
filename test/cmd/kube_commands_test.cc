// The commands that talk to a cluster, against a server that has what each case wants.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <map>

#include "cmd/commands.h"
#include "test/cmd/fake_cluster.h"

namespace batholith {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
namespace json = boost::json;

constexpr const char* kQueues = "/apis/scheduling.volcano.sh/v1beta1/queues";
constexpr const char* kGroups = "/apis/scheduling.volcano.sh/v1beta1/podgroups";
constexpr const char* kJobs = "/apis/batch.volcano.sh/v1alpha1/jobs";
constexpr const char* kCommands = "/apis/bus.volcano.sh/v1alpha1/commands";

constexpr const char* kQueueA =
    R"({"apiVersion":"scheduling.volcano.sh/v1beta1","kind":"Queue","metadata":{"name":"a","uid":"u1",
    "managedFields":[{"manager":"x"}]},"spec":{"weight":3,"capability":{"cpu":"4","memory":"8Gi"}},
    "status":{"state":"Closed"}})";

std::string GroupText(const std::string& name, const std::string& queue, const std::string& phase) {
  return R"({"apiVersion":"scheduling.volcano.sh/v1beta1","kind":"PodGroup","metadata":{"namespace":"a","name":")" +
         name + R"("},"spec":{"queue":")" + queue + R"(","minMember":2},"status":{"phase":")" +
         phase +
         R"(","conditions":[{"type":"Unschedulable","status":"True","reason":"NotEnoughResources","message":"gang short by 1"}]}})";
}

std::string PodText(const std::string& name, const std::string& message) {
  return R"({"metadata":{"namespace":"a","name":")" + name +
         R"(","annotations":{"scheduling.k8s.io/group-name":"g"}},"spec":{"schedulerName":"volcano","containers":[{"name":"m"}]},
         "status":{"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False","message":")" +
         message + "\"}]}}";
}

std::map<std::string, std::string> QueueBodies() {
  return {
      {kQueues,
       ListOfItems(std::string(R"({"metadata":{"name":"b"},"spec":{"parent":"a"}},)") + kQueueA)},
      {std::string(kQueues) + "/a", kQueueA},
      {kGroups, ListOfItems(GroupText("x", "a", "Running") + "," + GroupText("y", "a", "Inqueue") +
                            "," + GroupText("z", "b", "Pending"))}};
}

TEST(QueueCommands, a_list_counts_the_pod_groups_by_phase) {
  const FakeCluster cluster(QueueBodies());
  const CommandResult result = cluster.Run(QueueCommand, {"list"});
  EXPECT_EQ(result.status, kDone) << result.err;
  EXPECT_EQ(result.out,
            "NAME   WEIGHT   STATE    PARENT   INQUEUE   PENDING   RUNNING   UNKNOWN   COMPLETED\n"
            "a      3        Closed   -        1         0         1         0         0\n"
            "b      1        Open     a        0         1         0         0         0\n");
}

TEST(QueueCommands, wide_adds_the_amounts) {
  const FakeCluster cluster(QueueBodies());
  const CommandResult result = cluster.Run(QueueCommand, {"get", "a", "-o", "wide"});
  EXPECT_THAT(result.out, HasSubstr("CAPABILITY"));
  EXPECT_THAT(result.out, HasSubstr("cpu=4,memory=8Gi"));
}

// Group y waits with one pod, x runs with none that is listed.
TEST(QueueCommands, explain_says_what_is_left_and_why_the_next_job_waits) {
  auto bodies = QueueBodies();
  bodies["/api/v1/pods"] =
      R"({"items":[{"metadata":{"namespace":"a","name":"p","annotations":{"scheduling.k8s.io/group-name":"y"}},
      "spec":{"schedulerName":"volcano","containers":[{"name":"m","resources":{"requests":{"cpu":"3"}}}]},
      "status":{"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False","message":"no room"}]}}]})";
  const FakeCluster cluster(bodies);
  const CommandResult result = cluster.Run(QueueCommand, {"explain", "a"});
  EXPECT_EQ(result.status, kDone) << result.err;
  EXPECT_THAT(result.out, HasSubstr(R"(Queue:       a
Below it:    b
State:       Closed: it takes no new jobs in
Weight:      3

  RESOURCE   ALLOCATED   INQUEUE   REQUEST   DESERVED   GUARANTEE   CAPABILITY   LEFT
  cpu        0           0         3         -          -           4            4
  memory     0           0         0         -          -           8Gi          8Gi
  pods       0           0         1         -          -           -            no limit
  (deserved is that of the spec: what plugins compute is not on the object)
)"));
  EXPECT_THAT(result.out, HasSubstr(R"(
Jobs that wait: 1 of 2

The next of them, by priority and age, is a/y:
  Unschedulable (NotEnoughResources): gang short by 1
  1 pod (a/p): no room
)"));
}

TEST(QueueCommands, watch_prints_the_rows_that_change) {
  const std::string before = R"({"metadata":{"name":"a","uid":"u","resourceVersion":"2"}})";
  const std::string after =
      R"({"metadata":{"name":"a","uid":"u","resourceVersion":"4"},"spec":{"weight":5}})";
  FakeCluster cluster(
      {{kQueues, R"({"metadata":{"resourceVersion":"3"},"items":[)" + before + "]}"}});
  cluster.Tell(kQueues, R"({"type":"MODIFIED","object":)" + after + "}\n");
  const CommandResult result =
      cluster.Run(QueueCommand, {"list", "-w", "--no-headers", "--request-timeout", "2s"});
  EXPECT_EQ(result.status, kDone) << result.err;
  // The list alone may never be seen: changes that come at once are one.
  EXPECT_THAT(result.out, ::testing::EndsWith("a   5   Open   -   0   0   0   0   0\n"));
}

TEST(QueueCommands, json_and_yaml_are_the_objects_of_the_server) {
  const FakeCluster cluster(QueueBodies());
  const json::value list = json::parse(cluster.Run(QueueCommand, {"list", "-o", "json"}).out);
  EXPECT_EQ(list.at("kind"), "List");
  EXPECT_EQ(list.at("items").as_array().size(), 2);
  EXPECT_EQ(list.at_pointer("/items/0/metadata/name"), "a");
  EXPECT_EQ(list.at_pointer("/items/1/kind"), "Queue");
  const CommandResult yaml = cluster.Run(QueueCommand, {"get", "a", "-o", "yaml"});
  EXPECT_THAT(yaml.out, HasSubstr("kind: Queue\n"));
  EXPECT_THAT(yaml.out, Not(HasSubstr("managedFields")));
}

TEST(QueueCommands, what_is_not_there_is_named_and_the_others_are_printed) {
  const FakeCluster cluster(QueueBodies());
  const CommandResult result = cluster.Run(QueueCommand, {"get", "nope", "a"});
  EXPECT_EQ(result.status, kAnswerIsNo);
  EXPECT_EQ(result.err, "batholith queue get: Queue nope not found\n");
  EXPECT_THAT(result.out, HasSubstr("\na "));
}

TEST(QueueCommands, create_sends_what_the_flags_say) {
  const FakeCluster cluster({});
  const CommandResult result =
      cluster.Run(QueueCommand, {"create", "-n", "q", "-w", "4", "--capability", "cpu=4,memory=8Gi",
                                 "--guarantee", "cpu=1", "--parent", "p"});
  EXPECT_EQ(result.status, kDone) << result.err;
  EXPECT_EQ(cluster.Writes(), std::vector{std::string("POST ") + kQueues});
  EXPECT_EQ(cluster.LastBody(), json::parse(R"({
    "apiVersion":"scheduling.volcano.sh/v1beta1","kind":"Queue","metadata":{"name":"q"},
    "spec":{"weight":4,"parent":"p","capability":{"cpu":"4","memory":"8Gi"},
            "guarantee":{"resource":{"cpu":"1"}}}})"));
}

TEST(QueueCommands, bad_usage_sends_nothing) {
  const FakeCluster cluster(QueueBodies());
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"create", "q", "--capability", "cpu=lots"},
        {"create", "q", "--capability", "=1"},
        {"create"},
        {"create", "q", "r"},
        {"create", "q", "-w", "x"},
        {"operate", "a"},
        {"operate", "a", "-a", "opn"},
        {"list", "-o", "jso"},
        {"list", "a"},
        {"list", "--request-timeout", "soon"},
        {"lst"}}) {
    const CommandResult result = cluster.Run(QueueCommand, arguments);
    EXPECT_EQ(result.status, kBadInput) << arguments.front();
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err, "");
  }
  EXPECT_TRUE(cluster.server().requests().empty());
}

TEST(QueueCommands, a_new_weight_is_a_merge_patch) {
  const FakeCluster cluster(QueueBodies());
  const CommandResult result = cluster.Run(QueueCommand, {"operate", "a", "-w", "9"});
  EXPECT_EQ(result.status, kDone) << result.err;
  EXPECT_EQ(cluster.Writes(), std::vector{std::string("PATCH ") + kQueues + "/a"});
  EXPECT_EQ(cluster.LastBody(), json::parse(R"({"spec":{"weight":9}})"));
  EXPECT_EQ(cluster.server().requests().back().headers.at("content-type"),
            "application/merge-patch+json");
}

TEST(QueueCommands, open_is_a_command_as_vcctl_makes_it) {
  auto bodies = QueueBodies();
  bodies[kCommands] = ListOfItems("");
  const FakeCluster cluster(bodies);
  EXPECT_EQ(cluster.Run(QueueCommand, {"operate", "a", "-a", "open"}).status, kDone);
  EXPECT_EQ(
      cluster.Writes(),
      std::vector<std::string>{"POST /apis/bus.volcano.sh/v1alpha1/namespaces/default/commands"});
  const json::value body = cluster.LastBody();
  EXPECT_EQ(body.at("action"), "OpenQueue");
  EXPECT_EQ(body.at_pointer("/metadata/generateName"), "a-openqueue-");
  EXPECT_EQ(body.at("target"), json::parse(R"({"apiVersion":"scheduling.volcano.sh/v1beta1",
    "kind":"Queue","name":"a","uid":"u1","controller":true,"blockOwnerDeletion":true})"));
  EXPECT_EQ(body.at_pointer("/metadata/ownerReferences/0"), body.at("target"));
}

TEST(QueueCommands, close_without_commands_is_a_patch_of_the_status) {
  const FakeCluster cluster(QueueBodies());
  const CommandResult result = cluster.Run(QueueCommand, {"operate", "a", "-a", "close"});
  EXPECT_EQ(result.out, "queue a closed\n") << result.err;
  EXPECT_EQ(cluster.Writes(), std::vector{std::string("PATCH ") + kQueues + "/a/status"});
  EXPECT_EQ(cluster.LastBody(), json::parse(R"({"status":{"state":"Closed","allocated":{}}})"));
}

TEST(QueueCommands, delete_deletes) {
  const FakeCluster cluster(QueueBodies());
  EXPECT_EQ(cluster.Run(QueueCommand, {"delete", "a"}).out, "queue a deleted\n");
  EXPECT_EQ(cluster.Writes(), std::vector{std::string("DELETE ") + kQueues + "/a"});
}

TEST(QueueCommands, a_refusal_and_a_missing_server_are_told_apart) {
  const ScriptedServer refuses([](const ScriptedRequest&) {
    return Answer(403, R"({"kind":"Status","message":"queues is forbidden"})");
  });
  CommandResult result = RunCommand(QueueCommand, {"list", "--master", refuses.url()});
  EXPECT_EQ(result.status, kAnswerIsNo);
  EXPECT_THAT(result.err, HasSubstr("queues is forbidden"));
  result = RunCommand(QueueCommand, {"list", "--master", DeadUrl()});
  EXPECT_EQ(result.status, kNoWorld);
}

std::map<std::string, std::string> JobBodies() {
  const std::string job =
      R"({"apiVersion":"batch.volcano.sh/v1alpha1","kind":"Job","metadata":{"namespace":"a","name":"j",
      "uid":"u2","creationTimestamp":"2026-01-02T03:04:05Z"},"spec":{"queue":"a","minAvailable":2,
      "tasks":[{"name":"t","replicas":3},{"name":"u"}]},"status":{"state":{"phase":"Running"},"running":4}})";
  const std::string jobs = "/apis/batch.volcano.sh/v1alpha1/namespaces/a/jobs";
  return {{kJobs, ListOfItems(job)}, {jobs, ListOfItems(job)}, {jobs + "/j", job}};
}

TEST(JobCommands, a_list_is_of_the_namespace_or_of_all) {
  const FakeCluster cluster(JobBodies());
  EXPECT_EQ(
      cluster.Run(JobCommand, {"list", "-l", "x=y"}).out,
      "NAME   CREATION               PHASE     JOBTYPE   REPLICAS   MIN   PENDING   RUNNING   "
      "SUCCEEDED   FAILED   UNKNOWN   RETRYCOUNT\n"
      "j      2026-01-02T03:04:05Z   Running   Batch     4          2     0         4         "
      "0           0        0         0\n");
  EXPECT_EQ(cluster.server().requests().back().target,
            "/apis/batch.volcano.sh/v1alpha1/namespaces/a/jobs?labelSelector=x%3Dy");
  const CommandResult all = cluster.Run(JobCommand, {"list", "-A", "--no-headers"});
  EXPECT_THAT(all.out, ::testing::StartsWith("a   j   2026"));
  const CommandResult other = cluster.Run(JobCommand, {"list", "-q", "other"});
  EXPECT_EQ(other.out + other.err, "No jobs found in namespace a.\n");
}

TEST(JobCommands, where_no_jobs_are_served_pod_groups_are_listed) {
  const FakeCluster cluster({{kGroups, ListOfItems(GroupText("g", "a", "Inqueue"))}});
  const CommandResult result = cluster.Run(JobCommand, {"list", "-A"});
  EXPECT_EQ(result.out,
            "NAMESPACE   NAME   CREATION   PHASE     MIN   RUNNING   SUCCEEDED   FAILED\n"
            "a           g      -          Inqueue   2     0         0           0\n");
  EXPECT_THAT(result.err, HasSubstr("does not serve"));
}

TEST(JobCommands, suspend_is_a_command_in_the_namespace_of_the_job) {
  const FakeCluster cluster(JobBodies());
  EXPECT_EQ(cluster.Run(JobCommand, {"suspend", "a/j"}).status, kDone);
  EXPECT_EQ(cluster.Writes(),
            std::vector<std::string>{"POST /apis/bus.volcano.sh/v1alpha1/namespaces/a/commands"});
  EXPECT_EQ(cluster.LastBody().at("action"), "AbortJob");
  EXPECT_EQ(cluster.LastBody().at_pointer("/target/uid"), "u2");
  EXPECT_EQ(cluster.Run(JobCommand, {"resume", "-N", "j"}).status, kDone);
  EXPECT_EQ(cluster.LastBody().at("action"), "ResumeJob");
}

TEST(JobCommands, explain_groups_the_reasons_with_the_most_common_first) {
  const std::string groups = "/apis/scheduling.volcano.sh/v1beta1/namespaces/a/podgroups";
  const FakeCluster cluster({{groups + "/g", GroupText("g", "a", "Pending")},
                             {kGroups, ListOfItems("")},
                             {std::string(kQueues) + "/a", kQueueA},
                             {"/api/v1/namespaces/a/pods",
                              ListOfItems(PodText("p1", "0/3 nodes: taint") + "," +
                                          PodText("p2", "0/3 nodes: Insufficient cpu") + "," +
                                          PodText("p3", "0/3 nodes: Insufficient cpu"))}});
  const CommandResult result = cluster.Run(JobCommand, {"explain", "a/g"});
  EXPECT_EQ(result.status, kDone) << result.err;
  EXPECT_EQ(result.out,
            "Job:         a/g\n"
            "Phase:       Pending\n"
            "Pods:        3 Pending\n"
            "Starts with: 2 pods at once\n"
            "\n"
            "Why it waits:\n"
            "  not let into its queue yet (the pod group's phase is Pending)\n"
            "  Unschedulable (NotEnoughResources): gang short by 1\n"
            "  2 pods (a/p2, a/p3): 0/3 nodes: Insufficient cpu\n"
            "  1 pod (a/p1): 0/3 nodes: taint\n"
            "\n"
            "Queue a:\n"
            "  Closed: it takes no new jobs in, weight 3\n"
            "  pod groups   none\n"
            "  allocated    -\n"
            "  capability   cpu=4,memory=8Gi\n");
}

TEST(JobCommands, a_job_that_is_nowhere_is_named) {
  const FakeCluster cluster({});
  const CommandResult result = cluster.Run(JobCommand, {"view", "b/none"});
  EXPECT_EQ(result.status, kAnswerIsNo);
  EXPECT_EQ(result.err,
            "batholith job view: job b/none not found, and no pod group of that name\n");
}

constexpr const char* kSpQuotas = "/apis/scheduling.x-k8s.io/v1alpha1/elasticquotas";
constexpr const char* kSigsQuotas = "/apis/scheduling.sigs.k8s.io/v1alpha1/elasticquotas";

std::map<std::string, std::string> QuotaBodies() {
  return {
      {kSpQuotas, ListOfItems(R"({"metadata":{"namespace":"a","name":"q"},"spec":{"min":{"cpu":2},
        "max":{"cpu":"8"}},"status":{"used":{"cpu":"3"}}})")},
      {kSigsQuotas, ListOfItems(R"({"metadata":{"namespace":"a","name":"k","annotations":{
        "quota.scheduling.koordinator.sh/runtime":"{\"cpu\":5}"}},"spec":{"min":{"cpu":1},
        "max":{"cpu":9}}})")},
      {"/api/v1/pods", ListOfItems(PodText("p1", "quota a/q: cpu is at its max"))}};
}

TEST(QuotaCommands, a_list_has_all_dialects) {
  auto bodies = QuotaBodies();
  const FakeCluster cluster(bodies);
  EXPECT_EQ(
      cluster.Run(QuotaCommand, {"list", "-A"}).out,
      "NAMESPACE   NAME   KIND           DIALECT             MIN     MAX     USED    RUNTIME\n"
      "a           k      ElasticQuota   koordinator         cpu=1   cpu=9   -       cpu=5\n"
      "a           q      ElasticQuota   scheduler-plugins   cpu=2   cpu=8   cpu=3   -\n");
}

TEST(QuotaCommands, explain_says_what_is_borrowed_and_who_waits) {
  const FakeCluster cluster(QuotaBodies());
  const CommandResult result = cluster.Run(QuotaCommand, {"explain", "a/q"});
  EXPECT_EQ(result.status, kDone) << result.err;
  EXPECT_THAT(result.out,
              HasSubstr("RESOURCE   USED   MIN   MAX   RUNTIME   BORROWED   LEFT   POOL LEFT\n"
                        "  cpu        3      2     8     -         1          5      0\n"));
  EXPECT_THAT(result.out, HasSubstr("Pods that wait: 1 of 1\n"
                                    "  1 pod (a/p1): quota a/q: cpu is at its max\n"));
  EXPECT_THAT(cluster.Run(QuotaCommand, {"explain", "k"}).out,
              HasSubstr("cpu        0      1     9     5         0          5      -\n"));
  const CommandResult none = cluster.Run(QuotaCommand, {"explain", "a/none"});
  EXPECT_EQ(none.status, kAnswerIsNo);
  EXPECT_EQ(none.err, "batholith quota explain: quota a/none not found\n");
}

}  // namespace
}  // namespace batholith
