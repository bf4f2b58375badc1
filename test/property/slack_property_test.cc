// What must hold of resource slack and of the loop with node groups, whatever the cluster.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>

#include "codec/pod.h"
#include "framework/cycle.h"
#include "scheduler/compile_conf.h"
#include "scheduler/run_outcome.h"
#include "sim/run/run_sessions.h"
#include "test/property/property_env.h"
#include "test/property/random_cluster.h"

namespace batholith::property {
namespace {

std::shared_ptr<const Pipeline> CompiledSlack(const std::string& conf) {
  const auto compiled = CompileConf(conf, "conf");
  if (!compiled) ADD_FAILURE() << compiled.error().message;
  return compiled ? compiled->pipeline : nullptr;
}

// Four confs, with slack at the end or without it; `more` arguments of it.
std::shared_ptr<const Pipeline> SlackPipelineOf(std::uint64_t seed, bool slack,
                                                const std::string& more = "") {
  static std::map<std::string, std::shared_ptr<const Pipeline>> known;
  const bool evicts = seed % 2 == 0;
  const std::string placement = seed % 4 < 2 ? "binpack" : "nodeorder";
  std::string actions = "enqueue, allocate, backfill";
  if (evicts) actions += ", preempt, reclaim";
  if (slack) actions += ", slack";
  std::string conf =
      "actions: \"" + actions +
      "\"\ntiers:\n- plugins: [{name: priority}, {name: gang}, {name: conformance}]\n"
      "- plugins: [{name: drf}, {name: predicates}, {name: proportion}, {name: " +
      placement + "}]\n";
  if (slack) {
    const char* shapes[] = {"average", "biggest", "envelope"};
    conf += fmt::format(
        "configurations:\n- name: slack\n  arguments: {{rate: {}%, shape: {}, "
        "stabilizationWindow: 0s{}}}\n",
        10 * (1 + seed % 12), shapes[seed % 3], more);
  }
  auto& pipeline = known[conf];
  if (pipeline == nullptr) pipeline = CompiledSlack(conf);
  return pipeline;
}

// A random cluster of which some pods ask for more like them.
ClusterObjects ClusterWithMirrors(std::uint64_t seed) {
  ClusterObjects objects = RandomCluster(seed);
  std::mt19937_64 random(seed);
  for (PodRecord& pod : objects.pods) {
    if (random() % 10 == 0) pod.meta.annotations["slack.batholith.dev/mirror"] = "2";
    if (random() % 20 == 0) pod.meta.owner.Edit().kind = "DaemonSet";
  }
  for (PodGroupRecord& group : objects.pod_groups) {
    if (random() % 10 == 0) group.meta.annotations["slack.batholith.dev/mirror"] = "1";
  }
  return objects;
}

// Σ placeholders by node stays within what the session left idle, in what they ask for.
void CheckRoom(const CycleResult& result) {
  std::map<std::string, ResourceList> held;
  for (const PlaceholderSource& source : result.slack.sources) {
    for (const std::string& node : source.nodes) {
      if (!node.empty()) AddTo(held[node], source.size);
    }
  }
  for (const NodeStatus& node : result.nodes) {
    for (const auto& [name, amount] : held[node.name]) {
      const auto idle = node.idle.find(name);
      ASSERT_LE(amount, idle == node.idle.end() ? 0 : idle->second) << node.name << " " << name;
    }
  }
}

TEST(SlackProperty, real_pods_are_decided_as_without_it) {
  std::size_t placed = 0;
  ForEachSeed([&](std::uint64_t seed) {
    const auto snapshot = SnapshotOf(ClusterWithMirrors(seed));
    const CycleResult without = RunCycle(*snapshot, *SlackPipelineOf(seed, false));
    CycleResult with = RunCycle(*snapshot, *SlackPipelineOf(seed, true));
    ASSERT_TRUE(with.slack.ran);
    ASSERT_NO_FATAL_FAILURE(CheckRoom(with));
    const auto nodes = static_cast<std::int64_t>(snapshot->nodes.size());
    std::int64_t placeholders = 0;
    for (const PlaceholderSource& source : with.slack.sources) {
      placeholders += static_cast<std::int64_t>(source.nodes.size());
      placed += static_cast<std::size_t>(
          std::ranges::count_if(source.nodes, [](const std::string& n) { return !n.empty(); }));
    }
    ASSERT_LE(with.slack.evaluations,
              static_cast<std::int64_t>(with.slack.sources.size()) * nodes + placeholders);
    with.slack = {};
    with.notices = without.notices;
    ASSERT_TRUE(with == without);
  });
  if (Rounds() >= 100) {
    EXPECT_GT(placed, static_cast<std::size_t>(Rounds()));
  }
}

// On a cluster that does not change nothing moves: a placeholder with a node is not even asked
// about.
TEST(SlackProperty, placeholders_stay_where_they_are) {
  ForEachSeed([](std::uint64_t seed) {
    ClusterObjects objects = ClusterWithMirrors(seed);
    const auto snapshot = SnapshotOf(objects);
    const Pipeline& pipeline = *SlackPipelineOf(seed, true);
    const CycleResult first = RunCycle(*snapshot, pipeline);
    CycleOptions options;
    options.slack_before = &first.slack;
    const CycleResult second = RunCycle(*snapshot, pipeline, options);
    ASSERT_EQ(second.slack.pushed_out, 0);
    ASSERT_EQ(second.slack.node_gone, 0);
    ASSERT_EQ(second.slack.trimmed, 0);
    ASSERT_EQ(second.slack.sources.size(), first.slack.sources.size());
    for (std::size_t s = 0; s < first.slack.sources.size(); ++s)
      ASSERT_EQ(second.slack.sources[s].nodes, first.slack.sources[s].nodes);
    ASSERT_LE(second.slack.evaluations, first.slack.evaluations);
  });
}

std::map<std::string, ResourceList> HeldBy(const SlackReport& slack) {
  std::map<std::string, ResourceList> held;
  for (const PlaceholderSource& source : slack.sources) {
    for (const std::string& node : source.nodes) {
      if (node.empty()) continue;
      AddTo(held[node], source.size);
      ++held[node]["pods"];
    }
  }
  return held;
}

// What a node has beyond the pods that stand there when the session opens, the placeholders of the
// session before and the pods of others than consumers that were bound now: never below zero in
// what one of these asks for.
void CheckKept(const Snapshot& snapshot, const CycleResult& result, const SlackReport& before,
               const std::set<std::string>& consumers, std::size_t& kept_out) {
  std::map<std::string, std::size_t> places;
  std::vector<ResourceVector> left;
  std::map<std::string, ResourceList> held = HeldBy(before);
  for (const NodeFacts& node : snapshot.nodes) {
    places[node.record->meta.name] = left.size();
    left.push_back(node.allocatable - snapshot.ToVector(held[node.record->meta.name]));
  }
  std::map<std::string, const TaskFacts*> tasks;
  for (const TaskFacts& task : snapshot.tasks) {
    tasks[task.record->meta.Key()] = &task;
    const bool stands = HoldsAllocation(task.status) || task.status == TaskStatus::kReleasing ||
                        task.status == TaskStatus::kUnknown;
    if (!task.node.is_none() && stands) left[task.node.value()] -= task.request;
  }
  for (const Bind& bind : result.binds) {
    const TaskFacts& task = *tasks.at(bind.pod);
    if (consumers.contains(bind.queue)) continue;
    const std::size_t n = places.at(bind.node);
    left[n] -= task.request;
    for (std::size_t r = 0; r < snapshot.schema.size(); ++r) {
      if (task.request[r] <= 0) continue;
      ASSERT_GE(left[n][r], 0) << bind.pod << " on " << bind.node;
    }
    ++kept_out;
  }
}

// Placeholders of a session stand when the next one opens with as many pods again.
TEST(SlackProperty, who_is_no_consumer_never_lands_in_room_that_placeholders_hold) {
  std::size_t bound = 0;
  std::size_t differ = 0;
  ForEachSeed([&](std::uint64_t seed) {
    const auto snapshot = SnapshotOf(ClusterWithMirrors(seed));
    if (snapshot->queues.empty()) return;
    const std::string queue = snapshot->queues[seed % snapshot->queues.size()].record->meta.name;
    const Pipeline& guarded =
        *SlackPipelineOf(seed, true, ", consumers: {queues: [\"" + queue + "\"]}");
    const CycleResult first = RunCycle(*snapshot, guarded);
    CycleOptions options;
    options.slack_before = &first.slack;
    options.verify = true;
    const CycleResult second = RunCycle(*snapshot, guarded, options);
    ASSERT_NO_FATAL_FAILURE(CheckKept(*snapshot, second, first.slack, {queue}, bound));
    // In the first session nothing is held, so it is decided as without consumers.
    CycleResult open = RunCycle(*snapshot, *SlackPipelineOf(seed, true));
    ASSERT_TRUE(open == first);
    differ += RunCycle(*snapshot, *SlackPipelineOf(seed, true), options).binds != second.binds;
  });
  if (Rounds() >= 100) {
    EXPECT_GT(bound, static_cast<std::size_t>(Rounds()));
    EXPECT_GT(differ, 0U);
  }
}

// A group of machines, pods of controllers and gangs on it, and more that come in the first
// minutes.
struct Loop {
  ClusterObjects objects;
  std::string conf;
};

Loop RandomLoop(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto number = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  Loop loop;
  NodeGroupRecord group;
  group.meta.name = "g";
  group.kind = "NodeGroup";
  group.min = number(0, 2);
  group.max = number(12, 30);
  group.replicas = number(group.min, 12);
  group.delay = number(0, 180) * TimeNs{1'000'000'000};
  group.node_template.emplace();
  group.node_template->allocatable = {
      {"cpu", 1000 * number(2, 16)}, {"memory", 64 * (1LL << 30)}, {"pods", 110}};
  loop.objects.node_groups.push_back(group);
  const auto none = std::make_shared<const PodConstraints>();
  const int jobs = number(0, 8);
  for (int j = 0; j < jobs; ++j) {
    PodGroupRecord made;
    made.meta.name = "j" + std::to_string(j);
    made.meta.namespace_ = "default";
    made.meta.uid = made.meta.name;
    made.meta.creation = kDefaultNow - (100 - j) * TimeNs{1'000'000'000};
    made.queue = "default";
    const int pods = number(1, 6);
    made.min_member = number(0, 1) == 0 ? 1 : pods;
    if (number(0, 1) == 0) made.meta.annotations["slack.batholith.dev/restartable"] = "true";
    const std::int64_t cpu = 100 * number(1, 20);
    for (int p = 0; p < pods; ++p) {
      PodRecord pod;
      pod.meta.name = made.meta.name + "-" + std::to_string(p);
      pod.meta.namespace_ = "default";
      pod.meta.uid = pod.meta.name;
      pod.meta.creation = made.meta.creation + p;
      pod.meta.owner.Edit().kind = "ReplicaSet";
      pod.scheduler_name = "volcano";
      pod.group = made.meta.name;
      pod.request = {{"cpu", cpu}, {"memory", 1LL << 30}};
      pod.constraints = none;
      loop.objects.pods.push_back(std::move(pod));
    }
    loop.objects.pod_groups.push_back(std::move(made));
  }
  const bool capacity = number(0, 3) == 0;
  loop.conf = fmt::format(
      "actions: \"enqueue, allocate, backfill, slack, autoscale\"\n"
      "tiers: [{{plugins: [{{name: gang}}, {{name: predicates}}, {{name: {}}}]}}]\n"
      "configurations:\n"
      "- name: slack\n  arguments: {{rate: {}%, base: {}, shape: {}, stabilizationWindow: 60s}}\n"
      "- name: autoscale\n  arguments: {{mode: apply, interval: 10s}}\n",
      number(0, 1) == 0 ? "binpack" : "nodeorder", number(0, capacity ? 60 : 150),
      capacity ? "capacity" : "requested", number(0, 1) == 0 ? "average" : "envelope");
  return loop;
}

// Two hours of a load that does not change: in the last half hour no group is told to change, no
// pod waits that had a place, and gangs are whole.
TEST(SlackProperty, the_loop_comes_to_rest_and_strands_nobody) {
  int grew = 0;
  int shrank = 0;
  const int rounds = std::max(Rounds() / 20, 1);
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t seed = FirstSeed() + static_cast<std::uint64_t>(round);
    RecordSeed(seed);
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Loop loop = RandomLoop(seed);
    RunOptions options;
    options.cycles = 240;
    options.period_ns = TimeNs{30} * 1'000'000'000;
    std::set<std::string> bound;
    options.on_session = [&](int cycle, const Snapshot&, const CycleResult& result) {
      for (const NodeGroupOrder& order : result.autoscale.orders) {
        grew += order.to > order.from;
        shrank += order.to < order.from;
        EXPECT_LE(cycle, 180) << order.from << " to " << order.to << "\n" << loop.conf;
      }
      ASSERT_TRUE(result.evictions.empty());
    };
    const auto outcome = RunSessions(loop.objects, CompiledSlack(loop.conf), options);
    for (const CycleBind& b : outcome.binds) bound.insert(b.bind.job);
    std::map<std::string, int> waiting;
    std::map<std::string, int> standing;
    for (const PodRecord& pod : outcome.objects->pods)
      ++(pod.node_name.empty() ? waiting : standing)["default/" + pod.group];
    for (const PodGroupRecord& group : outcome.objects->pod_groups) {
      const std::string key = group.meta.Key();
      if (!bound.contains(key)) continue;
      ASSERT_GE(standing[key], group.min_member) << key << "\n" << loop.conf;
    }
    if (::testing::Test::HasFailure()) return;
  }
  if (rounds >= 50) {
    EXPECT_GT(grew, rounds / 4);
    EXPECT_GT(shrank, rounds / 4);
  }
}

}  // namespace
}  // namespace batholith::property
