// What must hold of every session, whatever the cluster. A failure names its seed:
// BATHOLITH_PROPERTY_SEED=<seed> BATHOLITH_PROPERTY_ROUNDS=1 repeats it.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "framework/cycle.h"
#include "framework/parallel.h"
#include "sim/cluster.h"
#include "test/property/invariants.h"
#include "test/property/property_env.h"
#include "test/property/random_cluster.h"
#include "test/property/units.h"

namespace batholith::property {
namespace {

CycleResult DecideUnder(const ClusterObjects& objects, ConfKind conf,
                        const CycleOptions& options = {}) {
  return RunCycle(*SnapshotOf(objects), PipelineOf(conf), options);
}

// Calls `check(seed, conf)` for each round and stops at the first that fails.
template <typename Check>
void ForEachRound(Check check, ConfKind (*conf_of)(std::uint64_t seed) = ConfKindOf) {
  const std::uint64_t first = FirstSeed();
  for (int round = 0; round < Rounds(); ++round) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(round);
    RecordSeed(seed);
    SCOPED_TRACE(fmt::format("seed {}, conf {}", seed, ConfKindName(conf_of(seed))));
    ASSERT_NO_FATAL_FAILURE(check(seed, conf_of(seed)));
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
    const CycleResult result = DecideUnder(objects, conf, options);
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
    const CycleResult one = DecideUnder(objects, conf, options);
    for (const int threads : {2, 8}) {
      options.threads = threads;
      ASSERT_TRUE(DecideUnder(objects, conf, options) == one)
          << threads << " threads decide otherwise";
    }
  });
}

// Loops over so many nodes are shared among threads.
TEST(SessionProperty, the_number_of_threads_does_not_show_on_many_nodes) {
  RandomClusterOptions many;
  many.nodes = static_cast<int>(Workers::kWorthwhile) * 3 / 2;
  many.full = true;
  for (int round = 0; round < std::max(Rounds() / 100, 1); ++round) {
    const std::uint64_t seed = FirstSeed() + static_cast<std::uint64_t>(round);
    RecordSeed(seed);
    const ClusterObjects objects = RandomCluster(seed, many);
    CycleOptions options;
    const CycleResult one = DecideUnder(objects, ConfKindOf(seed), options);
    for (const int threads : {2, 8}) {
      options.threads = threads;
      ASSERT_TRUE(DecideUnder(objects, ConfKindOf(seed), options) == one)
          << threads << " threads decide otherwise, seed " << seed;
    }
  }
}

std::vector<std::string> Lines(const CycleResult& r) {
  std::vector<std::string> lines = DecisionLines(r);
  for (const JobStatus& j : r.jobs) {
    lines.push_back(
        fmt::format("job {} {} {} {}", j.key, j.queue, JobPhaseName(j.phase), j.message));
    for (const auto& [status, count] : j.tasks)
      lines.push_back(fmt::format("job {} {} {}", j.key, status, count));
  }
  for (const QueueStatus& q : r.queues) {
    lines.push_back(
        fmt::format("queue {} {} {} {} {}", q.name, q.share, q.deserved, q.allocated, q.request));
  }
  for (const NamespaceStatus& n : r.namespaces) {
    lines.push_back(fmt::format("namespace {} {} {} {}", n.queue, n.name, n.weight, n.share));
  }
  for (const PodStatus& p : r.pods)
    lines.push_back(fmt::format("pod {} {} {}", p.key, p.reason, p.message));
  std::ranges::sort(lines);
  return lines;
}

TEST(SessionProperty, the_order_of_the_input_does_not_show) {
  ForEachRound([](std::uint64_t seed, ConfKind conf) {
    const ClusterObjects objects = RandomCluster(seed);
    const std::vector<std::string> expected = Lines(DecideUnder(objects, conf));
    const std::vector<std::string> got = Lines(DecideUnder(Shuffled(objects, seed), conf));
    for (std::size_t i = 0; i < std::min(expected.size(), got.size()); ++i)
      ASSERT_EQ(got[i], expected[i]);
    ASSERT_EQ(got.size(), expected.size());
  });
}

// Without pods that are leaving nothing is pipelined, so the binds in their order tell all that
// happened.
TEST(SessionProperty, every_placement_is_the_exhaustive_arg_max) {
  std::size_t compared = 0;
  const auto conf_of = [](std::uint64_t seed) {
    return seed % 2 == 0 ? ConfKind::kDefault : ConfKind::kBinpack;
  };
  ForEachRound(
      [&](std::uint64_t seed, ConfKind conf) {
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
        ASSERT_TRUE(problems.empty()) << problems.front();
        // The first attempt of the session stood before an untouched cluster: what it saw must lead
        // to where it went.
        if (result.traces.empty() || result.binds.empty() ||
            result.traces[0].pod != result.binds[0].pod)
          return;
        if (result.binds[0].action != "allocate") return;
        const PlacementTrace& trace = result.traces[0];
        double best = trace.scores.at(trace.feasible.front());
        std::string first_best = trace.feasible.front();
        for (const std::string& node : trace.feasible) {
          if (trace.scores.at(node) > best)
            std::tie(best, first_best) = std::pair(trace.scores.at(node), node);
        }
        ASSERT_EQ(result.binds[0].node, first_best);
      },
      conf_of);
  if (Rounds() >= 100) {
    EXPECT_GT(compared, static_cast<std::size_t>(Rounds()));
  }
}

TEST(SessionProperty, without_new_work_evictions_stop) {
  constexpr std::size_t kSessions = 60;  // more than a cluster of this size needs to settle
  constexpr std::size_t kQuiet = 20;     // of these the last ones must be without evictions
  constexpr std::size_t kShown = 6;
  const auto conf_of = [](std::uint64_t seed) {
    return seed % 2 == 0 ? ConfKind::kPreempt : ConfKind::kReclaim;
  };
  ForEachRound(
      [&](std::uint64_t seed, ConfKind conf) {
        TimeNs now = 1'800'000'000 * kSecond;
        SimCluster cluster(RandomCluster(seed), VictimFate::kRecreated, now);
        std::vector<std::string> history;
        while (history.size() < kSessions) {
          const std::shared_ptr<const ClusterObjects> objects = cluster.Objects();
          const CycleResult result = DecideUnder(*objects, conf);
          history.push_back(fmt::format("\n  session {}:{}", history.size(), Decisions(result)));
          const std::vector<std::string> problems = CheckResult(*objects, result);
          ASSERT_TRUE(problems.empty())
              << fmt::format("{}{}", fmt::join(problems, "\n"), history.back());
          if (history.size() > kSessions - kQuiet && !result.evictions.empty()) {
            FAIL() << fmt::format("still evicts:{}",
                                  fmt::join(history.end() - kShown, history.end(), ""));
          }
          const bool restless = cluster.IsRestless();
          cluster.Apply(result, now);
          now += kSecond;
          cluster.Advance(now);
          if (!result.had_effect && !restless) break;
        }
      },
      conf_of);
}

}  // namespace
}  // namespace batholith::property
