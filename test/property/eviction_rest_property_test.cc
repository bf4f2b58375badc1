// Evictions come to an end, whatever the conf, unless the conf was warned about. Pods that are
// evicted are made again by their controllers, so a conf that lets two jobs take each other's place
// does so for ever.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "scheduler/compile_conf.h"
#include "scheduler/run_outcome.h"
#include "sim/run/run_sessions.h"
#include "test/property/draws.h"
#include "test/property/property_env.h"

namespace batholith::property {
namespace {

// What keeps the pods of a job from a node beside others, as text of a container and of a pod.
struct Bars {
  std::string ports, affinity;
};
Bars BarsOf(Draws& dice) {
  Bars bars;
  const int which = dice.Int(0, 9);
  if (which == 0) bars.ports = R"(,"ports":[{"containerPort":80,"hostPort":8080}])";
  if (which == 1 || which == 2) {
    bars.affinity = fmt::format(
        R"(,"affinity":{{"podAntiAffinity":{{"requiredDuringSchedulingIgnoredDuringExecution":)"
        R"([{{"labelSelector":{{"matchLabels":{{"app":"a{}"}}}},)"
        R"("topologyKey":"kubernetes.io/hostname"}}]}}}})",
        dice.Int(0, 1));
  }
  return bars;
}

// A few jobs that want more than there is, each on its own or in gangs, equal or not.
std::string TightCluster(Draws& dice) {
  std::string text;
  const auto add = [&](const std::string& object) { text += object + "\n"; };
  const int nodes = dice.Int(1, 3);
  for (int n = 0; n < nodes; ++n) {
    add(fmt::format(R"({{"apiVersion":"v1","kind":"Node","metadata":{{"name":"n{}",)"
                    R"("labels":{{"kubernetes.io/hostname":"n{}"}}}},"status":{{)"
                    R"("allocatable":{{"cpu":"{}","memory":"64Gi","pods":"110"}}}}}})",
                    n, n, dice.Int(2, 5)));
  }
  const int queues = dice.Int(1, 3);
  for (int q = 0; q < queues; ++q) {
    add(fmt::format(R"({{"apiVersion":"scheduling.volcano.sh/v1beta1","kind":"Queue","metadata":)"
                    R"({{"name":"q{}"}},"spec":{{"weight":{},"reclaimable":true,"deserved":{{)"
                    R"("cpu":"{}"}}}}}})",
                    q, dice.Int(1, 3), dice.Int(1, 4)));
  }
  for (int c = 0; c < 2; ++c) {
    add(fmt::format(R"({{"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":)"
                    R"({{"name":"c{}"}},"value":{}}})",
                    c, 10 + c * 10));
  }
  for (int s = 0; s < 2; ++s) {
    if (!dice.Chance(50)) continue;
    const int min = dice.Int(0, 4);
    add(fmt::format(R"({{"apiVersion":"scheduling.x-k8s.io/v1alpha1","kind":"ElasticQuota",)"
                    R"("metadata":{{"name":"e","namespace":"s{}"}},"spec":{{"min":{{"cpu":"{}"}},)"
                    R"("max":{{"cpu":"{}"}}}}}})",
                    s, min, min + dice.Int(0, 4)));
  }
  const int jobs = dice.Int(2, 5);
  const int classes = dice.Int(0, 2);
  for (int j = 0; j < jobs; ++j) {
    const int tasks = dice.Int(1, 4);
    const int min = dice.Chance(30) ? tasks : dice.Int(0, tasks);
    const int cpu = dice.Chance(80) ? 1 : 2;
    const std::string priority =
        classes == 0 ? "" : fmt::format(R"(,"priorityClassName":"c{}")", dice.Int(0, classes - 1));
    const std::string space = fmt::format("s{}", dice.Int(0, 1));
    add(fmt::format(R"({{"apiVersion":"scheduling.volcano.sh/v1beta1","kind":"PodGroup",)"
                    R"("metadata":{{"name":"j{}","namespace":"{}"}},"spec":{{"minMember":{},)"
                    R"("queue":"q{}"{}}},"status":{{"phase":"Inqueue"}}}})",
                    j, space, min, dice.Int(0, queues - 1), priority));
    const Bars bars = BarsOf(dice);
    for (int t = 0; t < tasks; ++t) {
      add(fmt::format(
          R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"j{}-{}","namespace":"{}",)"
          R"("labels":{{"app":"a{}"}},"annotations":{{"scheduling.k8s.io/group-name":"j{}"}}}},)"
          R"("spec":{{"schedulerName":"volcano","terminationGracePeriodSeconds":{},"containers":)"
          R"([{{"resources":{{"requests":{{"cpu":{}}}}}{}}}]{}{}}}}})",
          j, t, space, j % 2, j, dice.Chance(50) ? 0 : dice.Int(1, 5), cpu, bars.ports,
          bars.affinity, priority));
    }
  }
  return text;
}

// Any mix of what evicts, judges victims and says who goes first, with switches off here and there.
std::string EvictingConf(Draws& dice) {
  std::vector<std::string> actions{"allocate"};
  const int which = dice.Int(1, 3);
  if (which & 1) actions.emplace_back("preempt");
  if (which & 2) actions.emplace_back("reclaim");
  dice.Shuffle(actions);
  if (dice.Chance(50)) actions.emplace_back("backfill");
  const auto entry = [&](const std::string& name, std::vector<std::string> switches, int often) {
    std::string text = "  - name: " + name + "\n";
    for (const std::string& s : switches) {
      if (dice.Chance(often)) text += "    " + s + ": false\n";
    }
    return text;
  };
  std::vector<std::string> plugins;
  const int off = dice.Chance(50) ? 0 : 25;
  if (dice.Chance(70)) {
    plugins.push_back(entry("gang",
                            {"enableJobOrder", "enableJobReady", "enableJobPipelined",
                             "enableJobStarving", "enablePreemptable", "enableReclaimable"},
                            off));
  }
  if (dice.Chance(60)) {
    plugins.push_back(entry(
        "priority", {"enableJobOrder", "enableTaskOrder", "enableJobStarving", "enablePreemptable"},
        off));
  }
  if (dice.Chance(40))
    plugins.push_back(entry("conformance", {"enablePreemptable", "enableReclaimable"}, off));
  if (dice.Chance(50)) {
    std::string drf =
        entry("drf", {"enableJobOrder", "enableNamespaceOrder", "enablePreemptable"}, off);
    if (dice.Chance(20)) drf += "    enableHierarchy: true\n";
    plugins.push_back(drf);
  }
  const int shares = dice.Int(1, 10);
  if (shares <= 3)
    plugins.push_back(entry(
        "proportion",
        {"enableQueueOrder", "enableReclaimable", "enabledOverused", "enabledAllocatable"}, off));
  if (shares == 4 || shares == 5)
    plugins.push_back(entry(
        "capacity",
        {"enableQueueOrder", "enableReclaimable", "enabledOverused", "enabledAllocatable"}, off));
  if (dice.Chance(15)) plugins.push_back(entry("elasticquota", {}, 0));
  if (dice.Chance(20)) plugins.push_back(entry("pdb", {}, 0));
  if (dice.Chance(60)) plugins.push_back(entry("predicates", {}, 0));
  if (dice.Chance(20)) plugins.push_back(entry("nodeorder", {}, 0));
  dice.Shuffle(plugins);
  std::string text = fmt::format("actions: \"{}\"\ntiers:\n", fmt::join(actions, ", "));
  if (plugins.empty()) return text + "- plugins: []\n";
  const auto cut = static_cast<std::size_t>(dice.Int(0, static_cast<int>(plugins.size()) - 1));
  for (std::size_t i = 0; i < plugins.size(); ++i) {
    if (i == 0 || i == cut) text += "- plugins:\n";
    text += plugins[i];
  }
  return text;
}

// Whether the last sessions of many still evict.
Result<bool> EvictsForEver(ClusterObjects objects, std::shared_ptr<const Pipeline> pipeline) {
  RunOptions options;
  options.until_idle = true;
  options.victims = VictimFate::kRecreated;
  const Result<RunOutcome> run = RunSessions(std::move(objects), std::move(pipeline), options);
  if (!run) return std::unexpected(run.error());
  return run->cycles == kMaxIdleCycles && !run->evictions.empty() &&
         run->evictions.back().cycle > kMaxIdleCycles - 20;
}

bool IsWarnedAbout(const CompiledConf& conf) {
  return std::ranges::any_of(conf.warnings, [](const std::string& warning) {
    return warning.contains("may evict for ever");
  });
}

TEST(EvictionRestProperty, evictions_end_under_every_conf_that_is_not_warned_about) {
  constexpr int kClusters = 3;  // for each conf
  int endless = 0;
  ForEachSeed([&](std::uint64_t seed) {
    Draws dice(seed);
    const std::string text = EvictingConf(dice);
    const Result<CompiledConf> conf = CompileConf(text, "conf");
    if (!conf) return;  // plugins that may not stand side by side
    for (int c = 0; c < kClusters; ++c) {
      const std::string cluster = TightCluster(dice);
      const Result<bool> evicts = EvictsForEver(ObjectsOf(cluster), conf->pipeline);
      ASSERT_TRUE(evicts) << evicts.error().message;
      endless += *evicts;
      ASSERT_TRUE(!*evicts || IsWarnedAbout(*conf)) << text << "\n" << cluster;
    }
  });
  // A generator under which nothing is endless would prove nothing.
  if (Rounds() >= 500) {
    EXPECT_GT(endless, 10);
  }
  RecordProperty("endless", endless);
}

}  // namespace
}  // namespace batholith::property
