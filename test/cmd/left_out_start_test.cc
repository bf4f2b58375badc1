// The program starts with the arguments of Volcano's chart and each name of Volcano's list in its
// conf, and tells what this build does not have in its log, by /readyz, by a metric and by an
// event; and what in the cluster cannot work under its conf.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "actions/builtin.h"
#include "cmd/commands.h"
#include "plugins/builtin.h"
#include "test/client/client_env.h"
#include "test/client/scripted_server.h"
#include "test/cmd/program.h"
#include "test/cmd/status_client.h"

namespace batholith {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// What Volcano registers.
const std::vector<std::string> kPlugins{"drf",
                                        "gang",
                                        "deviceshare",
                                        "predicates",
                                        "priority",
                                        "nodeorder",
                                        "conformance",
                                        "binpack",
                                        "resource-strategy-fit",
                                        "tdm",
                                        "overcommit",
                                        "sla",
                                        "task-topology",
                                        "numa-aware",
                                        "cdp",
                                        "rescheduling",
                                        "usage",
                                        "pdb",
                                        "nodegroup",
                                        "network-topology-aware",
                                        "proportion",
                                        "capacity",
                                        "extender",
                                        "resourcequota"};
const std::vector<std::string> kActions{"enqueue", "allocate", "backfill",    "preempt",
                                        "reclaim", "shuffle",  "gangpreempt", "gangreclaim"};

std::set<std::string> Had() {
  std::set<std::string> names;
  for (const auto& plugin : BuiltinPlugins()) names.insert(std::string(plugin.name));
  for (const auto& action : BuiltinActions()) names.insert(std::string(action.name));
  return names;
}

std::vector<std::string> ArgumentsOfVolcanosChart(const std::string& conf) {
  return {"scheduler",
          "--logtostderr",
          "--scheduler-conf=" + conf,
          "--enable-healthz=true",
          "--enable-metrics=true",
          "--leader-elect=true",
          "--leader-elect-resource-namespace=volcano-system",
          "--kube-api-qps=2000",
          "--kube-api-burst=2000",
          "--schedule-period=1s",
          "--node-worker-threads=20",
          "-v=3",
          "2>&1"};
}

// Starts with the conf, asks its server for something and ends when it is told to. What it said.
std::string Started(const std::string& conf) {
  const TestFolder folder;
  SilentServer server;
  auto arguments = ArgumentsOfVolcanosChart(folder.Write("volcano-scheduler.conf", conf));
  arguments.insert(arguments.end(),
                   {"--healthz-address=127.0.0.1:0", "--listen-address=127.0.0.1:0", "--kubeconfig",
                    Kubeconfig(folder, "http://127.0.0.1:" + std::to_string(server.port()))});
  Program program(arguments);
  EXPECT_TRUE(server.WaitForBytes()) << program.said();
  program.Signal(SIGTERM);
  const int status = program.WaitForEnd();
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == kDone) << status << program.said();
  EXPECT_THAT(program.said(), Not(HasSubstr("conf is bad")));
  return program.said();
}

void ExpectLeftOut(const std::string& said, const std::string& kind, const std::string& name) {
  static const std::set<std::string> had = Had();
  const std::string line = "does not have left out=\"" + kind + " " + name + "\"";
  if (had.contains(name)) {
    EXPECT_THAT(said, Not(HasSubstr(line)));
  } else {
    EXPECT_THAT(said, HasSubstr(line));
  }
}

TEST(StartOfTheScheduler, with_each_plugin_of_volcanos_list) {
  for (const std::string& name : kPlugins) {
    SCOPED_TRACE(name);
    ExpectLeftOut(
        Started("actions: \"enqueue, allocate\"\ntiers:\n- plugins:\n  - name: " + name + "\n"),
        "plugin", name);
  }
}

TEST(StartOfTheScheduler, with_each_action_of_volcanos_list) {
  for (const std::string& name : kActions) {
    SCOPED_TRACE(name);
    ExpectLeftOut(Started("actions: \"" + std::string(name == "allocate" ? "" : "allocate, ") +
                          name + "\"\n"),
                  "action", name);
  }
}

TEST(StartOfTheScheduler, with_all_of_them_together) {
  std::string conf = "actions: \"";
  for (const std::string& name : kActions) conf += (name == "enqueue" ? "" : ", ") + name;
  conf += "\"\ntiers:\n- plugins:\n";
  for (const std::string& name : kPlugins) {
    conf += "  - name: " + name + "\n";
    // Only one may say what queues deserve, as without these in Volcano.
    if (name == "capacity")
      conf +=
          "    enabledOverused: false\n    enabledAllocatable: false\n"
          "    enableReclaimable: false\n    enablePreemptive: false\n";
  }
  const std::string said = Started(conf);
  for (const std::string& name : kPlugins) ExpectLeftOut(said, "plugin", name);
  for (const std::string& name : kActions) ExpectLeftOut(said, "action", name);
}

// A cluster in which there is nothing, and whose lease is free.
Actions EmptyCluster(const ScriptedRequest& request, Record& posted) {
  if (request.method == "POST") posted.Add(request.path() + " " + request.body);
  if (request.method == "POST") return Answer(201, request.body);
  if (request.path().contains("/leases/")) return Answer(404, "{}");
  if (request.Query("watch") != "1")
    return Answer(200, R"({"metadata":{"resourceVersion":"1"},"items":[]})");
  if (!request.Query("sendInitialEvents").empty()) return Answer(400, "no such watches here");
  return {Head(200), WaitFor("the end")};
}

TEST(StartOfTheScheduler, tells_by_event_readyz_and_metric_what_is_left_out) {
  const TestFolder folder;
  Record posted;
  ScriptedServer server([&](const ScriptedRequest& r) { return EmptyCluster(r, posted); });
  const int health = SilentServer().port();  // free again
  const int metrics = SilentServer().port();
  auto arguments = ArgumentsOfVolcanosChart(folder.Write(
      "volcano-scheduler.conf",
      "actions: \"allocate, gangpreempt\"\ntiers: [{plugins: [{name: gang}, {name: usage}]}]\n"));
  arguments.insert(arguments.end(), {"--healthz-address=127.0.0.1:" + std::to_string(health),
                                     "--listen-address=127.0.0.1:" + std::to_string(metrics),
                                     "--kubeconfig", Kubeconfig(folder, server.url())});
  Program program(arguments);
  ASSERT_TRUE(program.WaitFor("all objects are known")) << program.said();
  const std::string ready = Ask(health, "GET", "/readyz").body();
  EXPECT_THAT(ready, HasSubstr("[!]action gangpreempt of the conf is left out: this build does not "
                               "have it\n[!]plugin usage of the conf is left out"));
  EXPECT_THAT(ready, HasSubstr("readyz check passed"));
  const std::string told = Ask(metrics, "GET", "/metrics").body();
  EXPECT_THAT(told, HasSubstr("batholith_conf_left_out{kind=\"action\",name=\"gangpreempt\"} 1"));
  EXPECT_THAT(told, HasSubstr("batholith_conf_left_out{kind=\"plugin\",name=\"usage\"} 1"));
  EXPECT_THAT(told, HasSubstr("batholith_build_info{"));
  EXPECT_TRUE(posted.WaitUntil([](const std::vector<std::string>& lines) {
    return std::ranges::any_of(lines, [](const std::string& line) {
      return line.contains("/events ") && line.contains("\"ConfLeftOut\"") &&
             line.contains("action gangpreempt, plugin usage");
    });
  })) << "no event";
  program.Signal(SIGTERM);
  program.WaitForEnd();
}

TEST(StartOfTheScheduler, tells_by_event_and_log_what_cannot_work_under_the_conf) {
  const TestFolder folder;
  Record posted;
  ScriptedServer server([&](const ScriptedRequest& r) {
    const bool quotas = r.path() == "/apis/scheduling.x-k8s.io/v1alpha1/elasticquotas";
    if (!quotas || r.Query("watch") == "1") return EmptyCluster(r, posted);
    return Answer(200, R"({"metadata": {"resourceVersion": "1"}, "items": [
        {"apiVersion": "scheduling.x-k8s.io/v1alpha1", "kind": "ElasticQuota",
         "metadata": {"namespace": "a", "name": "q", "uid": "u", "resourceVersion": "1"},
         "spec": {"min": {"cpu": 1}}}]})");
  });
  auto arguments = ArgumentsOfVolcanosChart(folder.Write(
      "volcano-scheduler.conf", "actions: allocate\ntiers: [{plugins: [{name: gang}]}]\n"));
  arguments.insert(arguments.end(),
                   {"--healthz-address=127.0.0.1:0", "--listen-address=127.0.0.1:0", "--kubeconfig",
                    Kubeconfig(folder, server.url())});
  Program program(arguments);
  const std::string hint = "there are 1 elastic quotas, and no plugin of the conf judges by them";
  ASSERT_TRUE(program.WaitFor("all objects are known")) << program.said();
  EXPECT_TRUE(posted.WaitUntil([&](const std::vector<std::string>& lines) {
    return std::ranges::any_of(lines, [&](const std::string& line) {
      return line.contains("/events ") && line.contains("\"ConfHint\"") && line.contains(hint);
    });
  })) << "no event";
  program.Signal(SIGTERM);
  program.WaitForEnd();
  EXPECT_THAT(program.said(), HasSubstr("warning " + hint));
}

TEST(StartOfTheScheduler, makes_the_quotas_of_koordinator_where_the_conf_says) {
  const TestFolder folder;
  Record posted;
  ScriptedServer server([&](const ScriptedRequest& r) { return EmptyCluster(r, posted); });
  Program program(
      {"scheduler", "--healthz-address=127.0.0.1:0", "--listen-address=127.0.0.1:0", "--kubeconfig",
       Kubeconfig(folder, server.url()),
       "--scheduler-conf=" + folder.Write("scheduler.conf",
                                          "actions: allocate\ntiers: [{plugins: [{name: "
                                          "elasticquota, arguments: {quotaGroupNamespace: "
                                          "quotas}}]}]\n")});
  ASSERT_TRUE(program.WaitFor("all objects are known")) << program.said();
  EXPECT_TRUE(posted.WaitUntil([](const std::vector<std::string>& lines) {
    return std::ranges::any_of(lines, [](const std::string& line) {
      return line.contains("/namespaces/quotas/elasticquotas ") &&
             line.contains("\"koordinator-root-quota\"");
    });
  }));
  program.Signal(SIGTERM);
  program.WaitForEnd();
}

}  // namespace
}  // namespace batholith
