// Two jobs that take each other's place for ever are warned about before, and named after.
#include <gtest/gtest.h>

#include "api/effect.h"
#include "cmd/commands.h"
#include "cmd/eviction_log.h"
#include "test/cmd/command_env.h"

namespace batholith {
namespace {

// One node with room for 2 pods; a job of 2 pods in each of two queues, which are ready with 1.
std::string TwoJobs() {
  std::string text =
      "{apiVersion: v1, kind: Node, metadata: {name: n}, status: {allocatable: {cpu: 2, pods: "
      "10}}}\n";
  for (const std::string job : {"a", "b"}) {
    text += "---\n{apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: q" +
            job + "}, spec: {weight: 1}}\n---\n" +
            "{apiVersion: scheduling.volcano.sh/v1beta1, kind: PodGroup, metadata: {name: " + job +
            ", namespace: ns}, spec: {minMember: 1, queue: q" + job +
            "}, status: {phase: Inqueue}}\n";
    for (const std::string pod : {"0", "1"}) {
      text += "---\n{apiVersion: v1, kind: Pod, metadata: {name: " + job + pod +
              ", namespace: ns, annotations: {scheduling.k8s.io/group-name: " + job +
              "}}, spec: {schedulerName: volcano, containers: [{resources: {requests: {cpu: "
              "1}}}]}}\n";
    }
  }
  return text;
}

std::string Conf(const std::string& plugins) {
  return "actions: \"allocate, reclaim\"\ntiers: [{plugins: [{name: priority}, " + plugins + "]}]";
}

TEST(EvictionRounds, simulate_warns_names_both_parties_and_ends) {
  const CommandFolder folder;
  const std::string cluster = folder.Write("c.yaml", TwoJobs());
  const std::string conf = folder.Write("endless.yaml", Conf("{name: conformance}"));
  std::vector<std::string> arguments{"-f", cluster,     "--scheduler-conf",
                                     conf, "--victims", "recreated"};
  const CommandResult table = RunCommand(SimulateCommand, arguments);
  EXPECT_EQ(table.status, kDone);
  EXPECT_EQ(table.err, "warning: " + conf +
                           ": action reclaim may evict for ever: no plugin says which of two "
                           "queues gives way, so each takes the other's place in turn (add "
                           "proportion, capacity, or drf with enableHierarchy, or let gang decide "
                           "who starves and spare minimums)\nwarning: not idle after 100 sessions: "
                           "the cluster did not come to rest\n");
  EXPECT_NE(table.out.find("EVICTIONS GOING ROUND\n  pods of ns/a were evicted 50 times by reclaim "
                           "for ns/b, and those of ns/b 49 times for it"),
            std::string::npos)
      << table.out;
  arguments.insert(arguments.end(), {"-o", "json"});
  const CommandResult json = RunCommand(SimulateCommand, arguments);
  EXPECT_NE(json.out.find(R"("evictionRounds":[{"group":"ns/a","for":"ns/b","action":"reclaim",)"
                          R"("rounds":50,"back":49}])"),
            std::string::npos);
}

// 1 pod of each is what the queues deserve.
TEST(EvictionRounds, a_cluster_with_shares_comes_to_rest_without_a_word) {
  const CommandFolder folder;
  const CommandResult result = RunCommand(
      SimulateCommand, {"-f", folder.Write("c.yaml", TwoJobs()), "--scheduler-conf",
                        folder.Write("calm.yaml", Conf("{name: conformance}, {name: proportion}")),
                        "--victims", "recreated"});
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out.find("GOING ROUND"), std::string::npos) << result.out;
}

TEST(EvictionRounds, another_fate_of_victims_is_refused) {
  const CommandFolder folder;
  const CommandResult result = RunCommand(
      SimulateCommand, {"-f", folder.Write("c.yaml", TwoJobs()), "--victims", "forgotten"});
  EXPECT_EQ(result.status, kBadInput);
  EXPECT_EQ(result.err, "batholith simulate: --victims forgotten: must be gone or recreated\n");
}

TEST(EvictionRounds, a_daemon_tells_them_as_a_metric_until_they_end) {
  EvictionLog log;
  Metrics metrics;
  CycleResult evicts;
  Evict evict;
  evict.job = "ns/a";
  evict.for_job = "ns/b";
  evict.action = "preempt";
  evicts.evictions = {evict};
  CycleResult binds;
  binds.binds.resize(1);
  binds.binds[0].job = "ns/a";
  for (int round = 0; round < EvictionWatch::kRounds; ++round) {
    log.Tell(evicts, metrics);
    log.Tell(binds, metrics);
  }
  EXPECT_EQ(metrics.Text().find("eviction_rounds{"), std::string::npos);
  log.Tell(evicts, metrics);
  EXPECT_NE(metrics.Text().find(
                R"(batholith_eviction_rounds{action="preempt",for="ns/b",group="ns/a"} 4)"),
            std::string::npos)
      << metrics.Text();
  for (std::int64_t s = 0; s <= EvictionWatch::kSessions; ++s) log.Tell({}, metrics);
  EXPECT_EQ(metrics.Text().find("eviction_rounds{"), std::string::npos);
}

}  // namespace
}  // namespace batholith
