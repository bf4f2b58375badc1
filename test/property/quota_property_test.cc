// What must hold of sessions with elastic quotas, whatever the cluster. A failure names its seed:
// BATHOLITH_PROPERTY_SEED=<seed> BATHOLITH_PROPERTY_ROUNDS=1 repeats it.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cache/snapshot_builder.h"
#include "framework/cycle.h"
#include "sim/cluster.h"
#include "test/property/invariants.h"
#include "test/property/quota_env.h"
#include "test/property/quota_invariants.h"
#include "test/property/random_cluster.h"
#include "test/property/random_quotas.h"
#include "test/property/units.h"

namespace batholith::property {
namespace {

CycleResult DecideQuotas(const ClusterObjects& objects, QuotaConf conf, TimeNs now,
                         const CycleOptions& options = {}) {
  SnapshotOptions snapshot;
  snapshot.now = now;
  return RunCycle(*BuildSnapshot(std::make_shared<const ClusterObjects>(objects), snapshot),
                  PipelineOf(conf), options);
}

// A cluster that answers, session after session, until nothing happens any more.
struct Story {
  std::shared_ptr<const ClusterObjects> objects;
  std::vector<std::string> history;
  std::size_t binds = 0;
  std::size_t evictions = 0;
  int last_eviction = 0;  // session, from 1
  bool idle = false;
};

constexpr int kQuotaSessions = 60;

Story RunToIdle(ClusterObjects objects, QuotaConf conf, VictimFate fate) {
  Story run;
  TimeNs now = 1'800'000'000 * kSecond;
  SimCluster cluster(std::move(objects), fate, now);
  CycleOptions options;
  options.verify = true;
  for (int session = 1; session <= kQuotaSessions && !run.idle; ++session) {
    const std::shared_ptr<const ClusterObjects> before = cluster.Objects();
    const CycleResult result = DecideQuotas(*before, conf, now, options);
    run.history.push_back(fmt::format("\n  session {}:{}", session, Decisions(result)));
    std::vector<std::string> problems;
    const auto append = [&](std::vector<std::string> more) {
      for (std::string& p : more) problems.push_back(std::move(p));
    };
    append(CheckBindsAreLegal(*before, result));
    append(CheckNodesHold(*before, result));
    append(CheckGangsWhole(*before, result));
    append(CheckQuotasHold(*before, result, /*parents=*/conf != QuotaConf::kStrict));
    append(CheckQuotaVictims(*before, result));
    EXPECT_TRUE(problems.empty()) << fmt::format("{}{}", fmt::join(problems, "\n"),
                                                 fmt::join(run.history, ""));
    if (!problems.empty()) break;
    run.binds += result.binds.size();
    run.evictions += result.evictions.size();
    if (!result.evictions.empty()) run.last_eviction = session;
    cluster.Apply(result, now);
    run.idle = !result.had_effect && !cluster.IsRestless();
    now += kSecond;
    cluster.Advance(now);
  }
  run.objects = cluster.Objects();
  return run;
}

std::string Tail(const Story& run) {
  const std::size_t shown = std::min<std::size_t>(run.history.size(), 12);
  const auto first = run.history.end() - static_cast<std::ptrdiff_t>(shown);
  return fmt::format("{}{}", fmt::join(first, run.history.end(), ""), Described(*run.objects));
}

TEST(QuotaProperty, limits_hold_nobody_leaves_who_may_not_and_evictions_stop) {
  constexpr int kQuietFrom = kQuotaSessions - 20;
  std::size_t binds = 0;
  std::size_t evictions = 0;
  ForEachSeed([&](std::uint64_t seed) {
    const Story run = RunToIdle(RandomQuotas(seed), QuotaConfOf(seed), VictimFate::kRecreated);
    if (::testing::Test::HasFailure()) return;
    // To the letter of the other systems, quotas may take from each other without end.
    const bool to_the_letter = QuotaConfOf(seed) == QuotaConf::kStrict;
    ASSERT_TRUE(to_the_letter || run.last_eviction < kQuietFrom) << "still evicts:" << Tail(run);
    binds += run.binds;
    evictions += run.evictions;
  });
  if (Rounds() >= 100) {
    EXPECT_GT(binds, static_cast<std::size_t>(Rounds()));
    EXPECT_GT(evictions, static_cast<std::size_t>(Rounds() / 20));
  }
  RecordProperty("binds", static_cast<int>(binds));
  RecordProperty("evictions", static_cast<int>(evictions));
}

TEST(QuotaProperty, nobody_waits_within_its_min_beside_a_free_node) {
  std::size_t evictions = 0;
  ForEachSeed([&](std::uint64_t seed) {
    RandomQuotaOptions options;
    options.only = seed % 2 == 0 ? QuotaDialect::kSchedulerPlugins : QuotaDialect::kNos;
    options.gangs = false;
    options.protected_pods = false;
    const VictimFate fate = seed % 4 < 2 ? VictimFate::kRecreated : VictimFate::kGone;
    const Story run = RunToIdle(RandomQuotas(seed, options), QuotaConf::kReclaim, fate);
    if (::testing::Test::HasFailure()) return;
    ASSERT_TRUE(run.idle) << Tail(run);
    const std::vector<std::string> starved = StarvedWithinMin(*run.objects);
    ASSERT_TRUE(starved.empty()) << fmt::format("{}", fmt::join(starved, "\n")) << Tail(run);
    evictions += run.evictions;
  });
  if (Rounds() >= 100) {
    EXPECT_GT(evictions, static_cast<std::size_t>(Rounds() / 20));
  }
}

ResourceList DemandOf(const ClusterObjects& objects, const ElasticQuotaRecord& quota) {
  ResourceList out;
  for (const PodRecord& pod : objects.pods) {
    if (QuotaOfPod(objects, pod) == &quota) AddTo(out, pod.request);
  }
  return out;
}

// Pods of one cpu fit wherever a cpu is free, so nothing but the quotas decides who has how much.
TEST(QuotaProperty, what_was_borrowed_comes_back) {
  std::size_t evictions = 0;
  ForEachSeed([&](std::uint64_t seed) {
    RandomQuotaOptions options;
    options.units = true;
    options.gangs = false;
    options.protected_pods = false;
    options.only = static_cast<QuotaDialect>(seed % 3);
    QuotaConf conf = QuotaConf::kReclaim;
    if (*options.only == QuotaDialect::kKoordinator)
      conf = seed % 2 == 0 ? QuotaConf::kReclaimNow : QuotaConf::kRevoke;
    const Story run = RunToIdle(RandomQuotas(seed, options), conf, VictimFate::kRecreated);
    if (::testing::Test::HasFailure()) return;
    ASSERT_TRUE(run.idle) << Tail(run);
    std::map<std::string, ResourceList> used = UsedByQuota(*run.objects, {});
    for (const ElasticQuotaRecord& quota : run.objects->elastic_quotas) {
      if (quota.is_parent) continue;
      const std::int64_t wants =
          std::min(DemandOf(*run.objects, quota)["cpu"], quota.min->at("cpu"));
      ASSERT_GE(used[quota.Identity()]["cpu"], wants) << quota.Identity() << Tail(run);
    }
    evictions += run.evictions;
  });
  if (Rounds() >= 100) {
    EXPECT_GT(evictions, static_cast<std::size_t>(Rounds() / 20));
  }
}

TEST(QuotaProperty, neither_threads_nor_the_order_of_the_input_show) {
  const auto sorted = [](CycleResult r) {
    std::ranges::sort(r.jobs, {}, &JobStatus::key);
    std::ranges::sort(r.pods, {}, &PodStatus::key);
    std::ranges::sort(r.nodes, {}, &NodeStatus::name);
    std::ranges::sort(r.labels, {}, &PodLabel::pod);
    std::ranges::sort(r.marks, {}, &QuotaMark::name);
    for (QuotaStatus& quota : r.quotas) std::ranges::sort(quota.pods);
    return r;
  };
  ForEachSeed([&](std::uint64_t seed) {
    const ClusterObjects objects = RandomQuotas(seed);
    const TimeNs now = 1'800'000'000 * kSecond;
    CycleOptions options;
    options.quota_pods = true;
    const CycleResult one = DecideQuotas(objects, QuotaConfOf(seed), now, options);
    const CycleResult other =
        sorted(DecideQuotas(Shuffled(objects, seed), QuotaConfOf(seed), now, options));
    for (const int threads : {2, 8}) {
      options.threads = threads;
      ASSERT_TRUE(DecideQuotas(objects, QuotaConfOf(seed), now, options) == one) << threads;
    }
    const CycleResult expected = sorted(one);
    ASSERT_EQ(Decisions(other), Decisions(expected));
    ASSERT_TRUE(other.quotas == expected.quotas) << "quotas";
    ASSERT_TRUE(other.labels == expected.labels) << "labels";
    ASSERT_TRUE(other.marks == expected.marks) << "marks";
    ASSERT_TRUE(other.pods == expected.pods) << "pods";
    ASSERT_TRUE(other.notices == expected.notices) << "notices";
  });
}

}  // namespace
}  // namespace batholith::property
