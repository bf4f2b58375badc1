// What must hold of every session, whatever the cluster. A failure names its seed:
// BATHOLITH_PROPERTY_SEED=<seed> BATHOLITH_PROPERTY_ROUNDS=1 repeats it.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "framework/cycle.h"
#include "test/property/invariants.h"
#include "test/property/property_env.h"
#include "test/property/random_cluster.h"

namespace batholith::property {
namespace {

CycleResult Decide(const ClusterObjects& objects, ConfKind conf, const CycleOptions& options = {}) {
  return RunCycle(*SnapshotOf(objects), PipelineOf(conf), options);
}

ConfKind ConfOf(std::uint64_t seed) { return static_cast<ConfKind>(seed % kConfKinds); }

// Calls `check(seed, conf)` for each round and stops at the first that fails.
template <typename Check>
void ForEachRound(Check check) {
  const std::uint64_t first = FirstSeed();
  for (int round = 0; round < Rounds(); ++round) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(round);
    NoteSeed(seed);
    SCOPED_TRACE(fmt::format("seed {}, conf {}", seed, ConfKindName(ConfOf(seed))));
    ASSERT_NO_FATAL_FAILURE(check(seed, ConfOf(seed)));
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(SessionProperty, no_node_over_committed_gangs_whole_queue_limits_held) {
  std::size_t binds = 0;
  std::size_t evictions = 0;
  ForEachRound([&](std::uint64_t seed, ConfKind conf) {
    const ClusterObjects objects = RandomCluster(seed);
    CycleOptions options;
    options.verify = true;
    const CycleResult result = Decide(objects, conf, options);
    binds += result.binds.size();
    evictions += result.evictions.size();
    const std::vector<std::string> problems = CheckResult(objects, result);
    ASSERT_TRUE(problems.empty()) << fmt::format("{}", fmt::join(problems, "\n"));
  });
  // A generator that leaves nothing to decide would prove nothing.
  if (Rounds() >= 100) {
    EXPECT_GT(binds, static_cast<std::size_t>(Rounds()));
    EXPECT_GT(evictions, std::size_t{0});
  }
  RecordProperty("binds", static_cast<int>(binds));
  RecordProperty("evictions", static_cast<int>(evictions));
}

TEST(SessionProperty, the_number_of_threads_does_not_show) {
  ForEachRound([](std::uint64_t seed, ConfKind conf) {
    const ClusterObjects objects = RandomCluster(seed);
    CycleOptions options;
    options.trace = true;
    options.threads = 1;
    const CycleResult one = Decide(objects, conf, options);
    for (const int threads : {2, 8}) {
      options.threads = threads;
      ASSERT_TRUE(Decide(objects, conf, options) == one) << threads << " threads decide otherwise";
    }
  });
}

std::vector<std::string> Lines(const CycleResult& r) {
  std::vector<std::string> lines;
  for (const Bind& b : r.binds) lines.push_back(fmt::format("bind {} {} {} {}", b.pod, b.job, b.node, b.action));
  for (const Evict& e : r.evictions) {
    lines.push_back(fmt::format("evict {} {} {} for {}: {}", e.pod, e.node, e.action, e.for_job, e.reason));
  }
  for (const Pipelined& p : r.pipelined) lines.push_back(fmt::format("pipeline {} {} {}", p.pod, p.node, p.action));
  for (const JobStatus& j : r.jobs) {
    lines.push_back(fmt::format("job {} {} {} {}", j.key, j.queue, JobPhaseName(j.phase), j.message));
    for (const auto& [status, count] : j.tasks) lines.push_back(fmt::format("job {} {} {}", j.key, status, count));
  }
  for (const QueueStatus& q : r.queues) {
    lines.push_back(fmt::format("queue {} {} {} {} {}", q.name, q.share, q.deserved, q.allocated, q.request));
  }
  for (const NamespaceStatus& n : r.namespaces) {
    lines.push_back(fmt::format("namespace {} {} {} {}", n.queue, n.name, n.weight, n.share));
  }
  for (const PodStatus& p : r.pods) lines.push_back(fmt::format("pod {} {} {}", p.key, p.reason, p.message));
  std::ranges::sort(lines);
  return lines;
}

TEST(SessionProperty, the_order_of_the_input_does_not_show) {
  ForEachRound([](std::uint64_t seed, ConfKind conf) {
    const ClusterObjects objects = RandomCluster(seed);
    const std::vector<std::string> expected = Lines(Decide(objects, conf));
    const std::vector<std::string> got = Lines(Decide(Shuffled(objects, seed), conf));
    for (std::size_t i = 0; i < std::min(expected.size(), got.size()); ++i) ASSERT_EQ(got[i], expected[i]);
    ASSERT_EQ(got.size(), expected.size());
  });
}

// Without pods that are leaving nothing is pipelined, so the binds in their order tell all that happened.
TEST(SessionProperty, every_placement_is_the_exhaustive_arg_max) {
  std::size_t compared = 0;
  ForEachRound([&](std::uint64_t seed, ConfKind) {
    const ConfKind conf = seed % 2 == 0 ? ConfKind::kDefault : ConfKind::kBinpack;
    RandomClusterOptions random;
    random.releasing = false;
    const ClusterObjects objects = RandomCluster(seed, random);
    const auto snapshot = SnapshotOf(objects);
    CycleOptions options;
    options.trace = true;
    const CycleResult result = RunCycle(*snapshot, PipelineOf(conf), options);
    ASSERT_TRUE(result.pipelined.empty());
    compared += result.binds.size();
    const std::vector<std::string> problems = CheckArgMax(*snapshot, PipelineOf(conf), result);
    ASSERT_TRUE(problems.empty()) << ConfKindName(conf) << ": " << problems.front();
    // The first attempt of the session stood before an untouched cluster: what it saw must lead to where it went.
    if (result.traces.empty() || result.binds.empty() || result.traces[0].pod != result.binds[0].pod) return;
    if (result.binds[0].action != "allocate") return;
    const PlacementTrace& trace = result.traces[0];
    double best = trace.scores.at(trace.feasible.front());
    std::string first_best = trace.feasible.front();
    for (const std::string& node : trace.feasible) {
      if (trace.scores.at(node) > best) std::tie(best, first_best) = std::pair(trace.scores.at(node), node);
    }
    ASSERT_EQ(result.binds[0].node, first_best);
  });
  if (Rounds() >= 100) {
    EXPECT_GT(compared, static_cast<std::size_t>(Rounds()));
  }
}

// A cluster that does what it is told: bound pods run, evicted ones take one session to leave and come back as new
// pods of the same job, phases are kept.
class World {
 public:
  explicit World(ClusterObjects objects) : objects_(std::move(objects)) {}

  const ClusterObjects& objects() const { return objects_; }

  void Apply(const CycleResult& result) {
    for (PodRecord& pod : objects_.pods) {
      if (pod.meta.deleting) Recreate(pod);
    }
    std::map<std::string, std::string> bound;
    std::set<std::string> evicted;
    for (const Bind& bind : result.binds) bound.emplace(bind.pod, bind.node);
    for (const Evict& evict : result.evictions) evicted.insert(evict.pod);
    for (PodRecord& pod : objects_.pods) {
      if (const auto it = bound.find(pod.meta.Key()); it != bound.end()) {
        pod.node_name = it->second;
        pod.phase = PodPhase::kRunning;
      }
      if (evicted.contains(pod.meta.Key())) pod.meta.deleting = true;
    }
    std::map<std::string, JobPhase> phases;
    for (const JobStatus& job : result.jobs) phases.emplace(job.key, job.phase);
    for (PodGroupRecord& group : objects_.pod_groups) {
      if (const auto it = phases.find(group.meta.Key()); it != phases.end()) group.phase = it->second;
    }
  }

 private:
  void Recreate(PodRecord& pod) {
    pod.meta.deleting = false;
    pod.meta.uid += "'";
    pod.meta.creation = 1'750'000'000LL * 1'000'000'000 + ++recreated_;
    pod.node_name.clear();
    pod.phase = PodPhase::kPending;
    pod.scheduled_at = 0;
    pod.started_at = 0;
  }

  ClusterObjects objects_;
  std::int64_t recreated_ = 0;
};

TEST(SessionProperty, without_new_work_evictions_stop) {
  constexpr int kSessions = 60;  // more than a cluster of this size needs to settle
  constexpr int kQuiet = 20;     // of these the last ones must be without evictions
  std::size_t longest = 0;
  ForEachRound([&](std::uint64_t seed, ConfKind) {
    const ConfKind conf = seed % 2 == 0 ? ConfKind::kPreempt : ConfKind::kReclaim;
    World world(RandomCluster(seed));
    std::size_t session = 0;
    for (; session < kSessions; ++session) {
      const bool leaving = std::ranges::any_of(world.objects().pods, [](const PodRecord& p) { return p.meta.deleting; });
      const CycleResult result = Decide(world.objects(), conf);
      const std::vector<std::string> problems = CheckResult(world.objects(), result);
      ASSERT_TRUE(problems.empty()) << fmt::format("session {}: {}", session, fmt::join(problems, "\n"));
      if (session >= kSessions - kQuiet) {
        ASSERT_TRUE(result.evictions.empty())
            << ConfKindName(conf) << ", session " << session << " still evicts " << result.evictions.front().pod
            << " for " << result.evictions.front().for_job << " (" << result.evictions.front().action << ")";
      }
      if (!result.had_effect && !leaving) break;
      world.Apply(result);
    }
    longest = std::max(longest, session);
  });
  RecordProperty("longest", static_cast<int>(longest));
}

}  // namespace
}  // namespace batholith::property
