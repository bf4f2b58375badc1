// What must hold of every session with capacity, over flat queues and over trees, sound and broken.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "framework/cycle.h"
#include "sim/cluster.h"
#include "test/property/invariants.h"
#include "test/property/property_env.h"
#include "test/property/random_cluster.h"
#include "test/property/units.h"

namespace batholith::property {
namespace {

constexpr int kConfs = 4;  // flat, and trees at ancestor level 0, 1, 2

Pipeline CapacityPipeline(int conf) {
  std::string capacity = "{name: capacity}";
  if (conf > 0) {
    capacity = fmt::format(
        "{{name: capacity, enableHierarchy: true, arguments: {{ancestorReclaimLevel: {}}}}}",
        conf - 1);
  }
  return CompiledText(
      "actions: \"enqueue, allocate, backfill, reclaim\"\ntiers:\n"
      "- plugins: [{name: priority}, {name: gang}, {name: conformance}]\n"
      "- plugins: [{name: drf}, {name: predicates}, " +
          capacity + ", {name: nodeorder}]\n",
      "capacity");
}

const Pipeline& CapacityPipelineOf(std::uint64_t seed) {
  static const std::array<Pipeline, kConfs> pipelines{CapacityPipeline(0), CapacityPipeline(1),
                                                      CapacityPipeline(2), CapacityPipeline(3)};
  return pipelines[seed % kConfs];
}

struct TreeOptions {
  bool broken = true;  // some parents are missing, some form a cycle
};

// A random cluster whose queues deserve something and hang under departments.
ClusterObjects RandomTree(std::uint64_t seed, const TreeOptions& options = {}) {
  RandomClusterOptions cluster;
  cluster.full = seed / kConfs % 2 == 1;  // else next to nothing has to go for anybody
  ClusterObjects objects = RandomCluster(seed, cluster);
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t n) { return static_cast<std::int64_t>(random() % n); };
  const std::size_t leaves = objects.queues.size();
  for (const char* name : {"dept-a", "dept-b", "dept-c"}) {
    QueueRecord dept;
    dept.meta.name = dept.meta.uid = name;
    dept.meta.creation = objects.queues.front().meta.creation + below(100);
    if (below(2) == 0) dept.parent = name[5] == 'a' ? "root" : "dept-a";
    if (below(3) == 0) dept.capability["cpu"] = 1000 * (4 + below(20));
    objects.queues.push_back(dept);
  }
  for (std::size_t q = 0; q < objects.queues.size(); ++q) {
    QueueRecord& queue = objects.queues[q];
    if (cluster.full)  // some deserve what others hold
      queue.deserved["cpu"] = 1000 * (below(2) == 0 ? 20 + below(20) : 1 + below(2));
    else if (below(3) != 0)
      queue.deserved["cpu"] = 1000 * (1 + below(12));
    if (!cluster.full && below(3) == 0) queue.deserved["memory"] = (1 + below(12)) << 30;
    if (q < leaves && below(4) != 0) queue.parent = fmt::format("dept-{}", "abc"[below(3)]);
    if (options.broken && below(20) == 0) queue.parent = below(2) == 0 ? "nowhere" : "dept-c";
  }
  return objects;
}

template <typename Check>
void ForEachTree(Check check, const TreeOptions& options = {}) {
  const std::uint64_t first = FirstSeed();
  for (int round = 0; round < Rounds(); ++round) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(round);
    RecordSeed(seed);
    SCOPED_TRACE(fmt::format("seed {}, conf {}", seed, seed % kConfs));
    ASSERT_NO_FATAL_FAILURE(check(seed, RandomTree(seed, options)));
    if (::testing::Test::HasFailure()) return;
  }
}

std::vector<std::string> ProblemsOf(const ClusterObjects& objects, const CycleResult& result) {
  std::vector<std::string> problems = CheckBindsAreLegal(objects, result);
  for (const auto& more : {CheckNodesHold(objects, result), CheckGangsWhole(objects, result)})
    problems.insert(problems.end(), more.begin(), more.end());
  return problems;
}

// Every queue that got a pod, and in a tree those above it, stay within the cpus of capability.
// (What is best effort asks no queue, and waits for none.)
std::vector<std::string> CapsBroken(const ClusterObjects& objects, const CycleResult& result,
                                    bool tree) {
  std::map<std::string, const QueueRecord*> queues;
  for (const QueueRecord& q : objects.queues) queues.emplace(q.meta.name, &q);
  std::map<std::string, std::string> queue_of;  // by group
  for (const PodGroupRecord& g : objects.pod_groups)
    queue_of.emplace(g.meta.Key(), g.queue.empty() ? "default" : g.queue);
  std::map<std::string, bool> bound;
  for (const Bind& b : result.binds) bound[b.pod] = true;
  std::map<std::string, std::int64_t> held;
  std::map<std::string, bool> grew;
  for (const PodRecord& pod : objects.pods) {
    const auto queue = queue_of.find(pod.meta.namespace_ + "/" + pod.group);
    if (queue == queue_of.end() || pod.scheduler_name != "volcano") continue;
    const bool is_new = bound.contains(pod.meta.Key());
    const bool runs = !pod.node_name.empty() && !pod.meta.deleting &&
                      (pod.phase == PodPhase::kPending || pod.phase == PodPhase::kRunning);
    const auto cpu = pod.request.find("cpu");
    if ((!is_new && !runs) || cpu == pod.request.end() || cpu->second == 0) continue;
    std::string name = queue->second;
    for (std::size_t steps = 0; steps < 10 && queues.contains(name); ++steps) {
      held[name] += cpu->second;
      grew[name] = grew[name] || is_new;
      if (!tree) break;
      name = queues[name]->parent;
    }
  }
  std::vector<std::string> problems;
  for (const auto& [name, queue] : queues) {
    const auto cap = queue->capability.find("cpu");
    if (!grew[name] || cap == queue->capability.end() || cap->second <= 0) continue;
    if (held[name] > cap->second)
      problems.push_back(fmt::format("queue {} holds {} of {}", name, held[name], cap->second));
  }
  return problems;
}

TEST(CapacityProperty, nodes_gangs_and_capabilities_hold) {
  std::size_t binds = 0;
  std::size_t evictions = 0;
  ForEachTree([&](std::uint64_t seed, const ClusterObjects& objects) {
    CycleOptions options;
    options.verify = true;
    const CycleResult result = RunCycle(*SnapshotOf(objects), CapacityPipelineOf(seed), options);
    binds += result.binds.size();
    evictions += result.evictions.size();
    std::vector<std::string> problems = ProblemsOf(objects, result);
    for (const std::string& p : CapsBroken(objects, result, seed % kConfs != 0))
      problems.push_back(p);
    ASSERT_TRUE(problems.empty()) << fmt::format("{}", fmt::join(problems, "\n"));
  });
  if (Rounds() >= 100) {
    EXPECT_GT(binds, static_cast<std::size_t>(Rounds()));
    EXPECT_GT(evictions, static_cast<std::size_t>(Rounds() / 50));
  }
}

TEST(CapacityProperty, the_order_of_the_input_does_not_show) {
  ForEachTree([](std::uint64_t seed, const ClusterObjects& objects) {
    const CycleResult one = RunCycle(*SnapshotOf(objects), CapacityPipelineOf(seed));
    const CycleResult other =
        RunCycle(*SnapshotOf(Shuffled(objects, seed)), CapacityPipelineOf(seed));
    ASSERT_TRUE(one == other);
  });
}

TEST(CapacityProperty, without_new_work_evictions_stop) {
  constexpr int kSessions = 60;
  constexpr int kQuiet = 20;
  ForEachTree([](std::uint64_t seed, const ClusterObjects& objects) {
    TimeNs now = 1'800'000'000 * kSecond;
    SimCluster cluster(objects, VictimFate::kRecreated, now);
    for (int session = 0; session < kSessions; ++session) {
      const auto now_there = cluster.Objects();
      const CycleResult result = RunCycle(*SnapshotOf(*now_there), CapacityPipelineOf(seed));
      const std::vector<std::string> problems = ProblemsOf(*now_there, result);
      ASSERT_TRUE(problems.empty()) << fmt::format("{}", fmt::join(problems, "\n"));
      if (session >= kSessions - kQuiet && !result.evictions.empty())
        FAIL() << "still evicts " << result.evictions.front().pod << " for "
               << result.evictions.front().for_job;
      const bool restless = cluster.IsRestless();
      cluster.Apply(result, now);
      now += kSecond;
      cluster.Advance(now);
      if (!result.had_effect && !restless) break;
    }
  });
}

}  // namespace
}  // namespace batholith::property
