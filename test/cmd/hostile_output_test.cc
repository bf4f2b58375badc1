// Objects whose every text steers a terminal: each command shows them escaped, whatever it prints.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json.hpp>

#include "api/printable.h"
#include "cmd/commands.h"
#include "test/cmd/fake_cluster.h"

namespace batholith {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;

const std::vector<std::string>& HostileTexts() {
  static const std::vector<std::string> texts{"\x1b[2J",
                                              "\x1b]0;title\x07",
                                              "\x1b]52;c;cm0=\x1b\\",
                                              "a\rforged",
                                              "a\nqueue b deleted",
                                              "a\x08\x08z",
                                              "\x7f\x7f",
                                              "\xc2\x9b"
                                              "31m",
                                              "\xc2\x90q\xc2\x9c",
                                              "user\xe2\x80\xaegpj",
                                              "\xe2\x81\xa7x\xe2\x81\xa9",
                                              "a\xe2\x80\xa8z",
                                              "de\xe2\x80\x8b"
                                              "fault",
                                              "\xef\xbb\xbfname",
                                              "\xf3\xa0\x81\x81tag"};
  return texts;
}

// Nothing but line breaks and tabs that is not seen.
void ExpectSafe(const CommandResult& result, const std::string& what) {
  for (std::string text : {result.out, result.err}) {
    EXPECT_EQ(ManyLines(text), text) << what;
    EXPECT_EQ(text.find_first_of("\x1b\r\x07\x08\x7f"), std::string::npos) << what;
  }
}

// A line that some object wrote. What somebody typed may have lines of its own.
void ExpectNothingForged(const CommandResult& result, const std::string& what) {
  EXPECT_FALSE((result.out + result.err).contains("\nqueue b deleted"))
      << what << ": a forged line\n"
      << result.out << result.err;
}

std::string Meta(const std::string& h) {
  return json::serialize(json::value{{"namespace", "a"},
                                     {"name", h},
                                     {"uid", h},
                                     {"creationTimestamp", "2026-01-02T03:04:05Z"},
                                     {"labels", {{h, h}}}});
}

// `h` in each field that a command may show.
std::map<std::string, std::string> HostileBodies(const std::string& h) {
  const std::string q = json::serialize(json::string(h));
  const std::string amounts = "{" + q + ":\"1\",\"cpu\":\"2\"}";
  const std::string conditions =
      R"([{"type":)" + q + R"(,"status":"True","reason":)" + q + R"(,"message":)" + q + "}]";
  const std::string queue = R"({"metadata":)" + Meta(h) + R"(,"spec":{"weight":1,"parent":)" + q +
                            R"(,"capability":)" + amounts + R"(},"status":{"state":)" + q +
                            R"(,"allocated":)" + amounts + "}}";
  const std::string group = R"({"metadata":)" + Meta("g") + R"(,"spec":{"minMember":2,"queue":)" +
                            q + R"(,"priorityClassName":)" + q + R"(,"minResources":)" + amounts +
                            R"(},"status":{"phase":)" + q + R"(,"conditions":)" + conditions + "}}";
  const std::string pod =
      R"({"metadata":{"namespace":"a","name":)" + q +
      R"(,"annotations":{"scheduling.k8s.io/group-name":"g"}},"spec":{"schedulerName":)" + q +
      R"(,"containers":[{"name":"m","resources":{"requests":)" + amounts +
      R"(}}]},"status":{"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False","message":)" +
      q + "}]}}";
  const std::string bad_pod = R"({"metadata":{"namespace":"a","name":)" + q +
                              R"(},"spec":{"containers":[],"priority":)" + q + "}}";
  const std::string job = R"({"metadata":)" + Meta("g") + R"(,"spec":{"minAvailable":2,"queue":)" +
                          q + R"(,"priorityClassName":)" + q + R"(,"tasks":[{"name":)" + q +
                          R"(,"replicas":3}]},"status":{"state":{"phase":)" + q + R"(,"message":)" +
                          q + "}}}";
  const std::string event = R"({"type":)" + q + R"(,"reason":)" + q + R"(,"message":)" + q + "}";
  const std::string quota = R"({"metadata":{"namespace":"a","name":"q","annotations":{)"
                            R"("quota.scheduling.koordinator.sh/runtime":)" +
                            q + R"(},"labels":{"quota.scheduling.koordinator.sh/parent":)" + q +
                            R"(}},"spec":{"min":)" + amounts + R"(,"max":)" + amounts +
                            R"(},"status":{"used":)" + amounts + "}}";
  const std::string queues = "/apis/scheduling.volcano.sh/v1beta1/queues";
  const std::string groups = "/apis/scheduling.volcano.sh/v1beta1/";
  const std::string jobs = "/apis/batch.volcano.sh/v1alpha1/";
  return {{queues, ListOfItems(queue)},
          {queues + "/a", queue},
          {groups + "podgroups", ListOfItems(group)},
          {groups + "namespaces/a/podgroups", ListOfItems(group)},
          {groups + "namespaces/a/podgroups/g", group},
          {jobs + "jobs", ListOfItems(job)},
          {jobs + "namespaces/a/jobs", ListOfItems(job)},
          {jobs + "namespaces/a/jobs/g", job},
          {"/api/v1/pods", ListOfItems(pod + "," + bad_pod)},
          {"/api/v1/namespaces/a/pods", ListOfItems(pod + "," + bad_pod)},
          {"/api/v1/namespaces/a/events", ListOfItems(event)},
          {"/apis/scheduling.sigs.k8s.io/v1alpha1/elasticquotas", ListOfItems(quota)},
          {"/apis/scheduling.sigs.k8s.io/v1alpha1/namespaces/a/elasticquotas", ListOfItems(quota)}};
}

TEST(HostileOutput, commands_on_a_cluster_escape_every_field) {
  using Run = std::pair<int (*)(const std::vector<std::string>&), std::vector<std::string>>;
  for (const std::string& h : HostileTexts()) {
    const FakeCluster cluster(HostileBodies(h));
    const std::string once = OneLine(h);
    for (const auto& [command, arguments] :
         {Run{QueueCommand, {"list"}}, Run{QueueCommand, {"list", "-o", "wide"}},
          Run{QueueCommand, {"get", "a", "-o", "json"}},
          Run{QueueCommand, {"get", "a", "-o", "yaml"}}, Run{QueueCommand, {"get", h}},
          Run{QueueCommand, {"operate", "a", "-w", "2"}},
          Run{QueueCommand, {"operate", "a", "-a", h}}, Run{QueueCommand, {"list", "-o", h}},
          Run{QueueCommand, {h}}, Run{QueueCommand, {"list", "--" + h}},
          Run{JobCommand, {"list", "-A", "-o", "wide"}}, Run{JobCommand, {"list", "--groups"}},
          Run{JobCommand, {"view", "g"}}, Run{JobCommand, {"explain", "g"}},
          Run{JobCommand, {"view", h}}, Run{QuotaCommand, {"list", "-A", "-o", "wide"}},
          Run{QuotaCommand, {"explain", "a/q"}}, Run{QuotaCommand, {"explain", h}}}) {
      const CommandResult result = cluster.Run(command, arguments);
      ExpectSafe(result, arguments[0] + " " + once);
      if (std::ranges::none_of(arguments, [&](const auto& one) { return one.contains(h); }))
        ExpectNothingForged(result, arguments[0] + " " + once);
      EXPECT_FALSE((result.out + result.err).empty());
    }
    EXPECT_THAT(cluster.Run(JobCommand, {"view", "g"}).out, HasSubstr(once));
    EXPECT_THAT(cluster.Run(QueueCommand, {"list"}).out, HasSubstr(once));
  }
}

TEST(HostileOutput, json_and_yaml_are_still_the_same_objects) {
  for (const std::string& h : HostileTexts()) {
    const FakeCluster cluster(HostileBodies(h));
    const json::value read = json::parse(cluster.Run(QueueCommand, {"get", "a", "-o", "json"}).out);
    EXPECT_EQ(read.at_pointer("/metadata/name"), json::value(h));
  }
}

TEST(HostileOutput, what_a_server_says_is_escaped_too) {
  for (const std::string& h : HostileTexts()) {
    for (const std::string& body :
         {h, "\x9b\xff" + h, json::serialize(json::object{{"kind", "Status"}, {"message", h}})}) {
      const ScriptedServer refuses([&](const ScriptedRequest&) { return Answer(403, body); });
      const CommandResult result = RunCommand(QueueCommand, {"list", "--master", refuses.url()});
      EXPECT_EQ(result.status, kAnswerIsNo);
      ExpectSafe(result, OneLine(body));
    }
  }
}

TEST(HostileOutput, manifests_are_shown_escaped_in_tables_warnings_and_refusals) {
  const CommandFolder folder;
  for (const std::string& h : HostileTexts()) {
    const json::object meta{{"namespace", h}, {"name", h}, {"labels", {{h, h}}}};
    const json::object asks{{"requests", {{"cpu", "1"}, {h, "1"}}}};
    json::array containers;
    containers.push_back(json::object{{"name", "m"}, {"resources", asks}});
    json::object pod_spec{{"schedulerName", "volcano"}, {"priorityClassName", h}};
    pod_spec["containers"] = containers;
    std::string text;
    for (const json::object& object :
         {json::object{
              {"apiVersion", "v1"}, {"kind", "Pod"}, {"metadata", meta}, {"spec", pod_spec}},
          json::object{{"apiVersion", "v1"},
                       {"kind", "Node"},
                       {"metadata", {{"name", h}}},
                       {"status", {{"allocatable", {{"cpu", "4"}, {"pods", "9"}, {h, "3"}}}}}},
          json::object{{"apiVersion", "scheduling.volcano.sh/v1beta1"},
                       {"kind", "Queue"},
                       {"metadata", {{"name", h}}},
                       {"spec", {{"weight", 1}, {"parent", h}}}},
          json::object{{"apiVersion", "scheduling.volcano.sh/v1beta1"},
                       {"kind", "PodGroup"},
                       {"metadata", meta},
                       {"spec", {{"minMember", 2}, {"queue", h}}}},
          json::object{{"apiVersion", "v1"}, {"kind", h}, {"metadata", meta}},
          json::object{{"apiVersion", "v1"},
                       {"kind", "Node"},
                       {"metadata", {{"name", "n2"}}},
                       {"status", {{"allocatable", {{"cpu", h}}}}}}})
      text += json::serialize(object) + "\n---\n";
    const std::string file = folder.Write("all.yaml", text);
    const std::string dump = folder.Write("dump", "");
    for (const std::string output : {"table", "json"})
      ExpectSafe(RunCommand(SimulateCommand, {file, "-o", output, "--dump", dump}), OneLine(h));
    for (const std::string output : {"table", "json"})
      ExpectSafe(RunCommand(ReplayCommand, {dump, "-o", output}), OneLine(h));
    ExpectSafe(RunCommand(SimulateCommand, {folder.Write("bad.yaml", "a: [" + h + "\n" + h)}), h);
    const std::string conf = folder.Write("conf", "actions: \"" + OneLine(h) + h + "\"\n");
    ExpectSafe(RunCommand(SimulateCommand, {file, "--scheduler-conf", conf}), OneLine(h));
    const std::string scenario = folder.Write(
        "scenario.yaml", json::serialize(json::object{{"name", h}, {h, h}, {"kind", "Scenario"}}));
    for (const std::string output : {"text", "json"})
      ExpectSafe(RunCommand(VerifyCommand, {scenario, "-o", output}), OneLine(h));
  }
}

// A name that is no address still holds the password of whoever mistyped it.
TEST(HostileOutput, no_complaint_repeats_a_password) {
  const CommandFolder folder;
  const std::string kubeconfig = folder.Write(
      "config",
      "{apiVersion: v1, kind: Config, current-context: c, contexts: [{name: c, context: {cluster: "
      "s, user: u}}], clusters: [{name: s, cluster: {server: 'https://u:hunter2@h:x/'}}], users: "
      "[{name: u, user: {token: hunter2}}]}");
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"list", "--kubeconfig", kubeconfig},
        {"list", "--master", "u:hunter2@host"},
        {"list", "--master", "ftp://u:hunter2@host"},
        {"list", "--master", "https://u:hunt/er2@host"},
        {"list", "--master", "https://u:hunter2@"},
        {"list", "--token=hunter2"},
        {"list", "--token", "hunter2"},
        {"list", "-thunter2"},
        {"list", "--password=hunter2"},
        {"list", "--request-timeout", "https://u:hunter2@host"},
        {"https://u:hunter2@host"}}) {
    const CommandResult result = RunCommand(QueueCommand, arguments);
    EXPECT_NE(result.status, kDone);
    EXPECT_FALSE((result.out + result.err).contains("hunter2")) << result.err;
    EXPECT_FALSE((result.out + result.err).contains("er2@")) << result.err;
  }
  const std::string dead = DeadUrl();
  const std::string with_user = "http://u:hunter2@" + dead.substr(7) + "/?token=hunter2";
  const CommandResult result = RunCommand(QueueCommand, {"list", "--master", with_user});
  EXPECT_EQ(result.status, kNoWorld);
  EXPECT_THAT(result.err, HasSubstr(dead));
  EXPECT_FALSE(result.err.contains("hunter2")) << result.err;
}

}  // namespace
}  // namespace batholith
