// Groups that fall whole or not at all. A failure names its seed: BATHOLITH_PROPERTY_SEED=<seed>
// BATHOLITH_PROPERTY_ROUNDS=1 repeats it.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "framework/cycle.h"
#include "test/property/quota_env.h"
#include "test/property/random_cluster.h"
#include "test/property/random_quotas.h"
#include "test/property/victim_rounds.h"
#include "test/property/whole_groups.h"

namespace batholith::property {
namespace {

constexpr const char* kShares = R"(
actions: "enqueue, allocate, preempt, reclaim"
tiers:
- plugins:
  - name: priority
  - name: gang
  - name: conformance
  - name: pdb
- plugins:
  - name: drf
    enablePreemptable: false
  - name: predicates
  - name: capacity
  - name: nodeorder
)";

struct FallTally {
  std::size_t fallen = 0;
  std::size_t of_several = 0;  // of these, groups with more pods than one
  std::size_t stayed = 0;
};

// Every pod that ran or was bound, and was not being deleted, or none.
void CheckGroupsWhole(const ClusterObjects& objects, const CycleResult& result, FallTally& tally) {
  std::set<std::string> evicted;
  for (const Evict& e : result.evictions) evicted.insert(e.pod);
  for (const auto& [name, pods] : WholeGroupsOf(objects)) {
    std::vector<std::string> stood;
    for (const PodRecord* pod : pods) {
      const bool over = pod->phase == PodPhase::kSucceeded || pod->phase == PodPhase::kFailed;
      if (!pod->node_name.empty() && !pod->meta.deleting && !over) stood.push_back(pod->meta.Key());
    }
    const auto gone = static_cast<std::size_t>(std::ranges::count_if(
        stood, [&](const std::string& key) { return evicted.contains(key); }));
    ASSERT_TRUE(gone == 0 || gone == stood.size())
        << name << ": " << gone << " of " << stood.size() << " were evicted";
    tally.stayed += gone == 0 && !stood.empty() ? 1 : 0;
    tally.fallen += gone > 0 ? 1 : 0;
    tally.of_several += gone > 1 ? 1 : 0;
  }
}

ClusterObjects ClusterWithWholeGroups(std::uint64_t seed) {
  RandomClusterOptions options;
  options.full = seed % 4 < 3;
  options.constraints = seed % 8 < 4;
  ClusterObjects objects = RandomCluster(seed, options);
  MakeGroupsWhole(objects, seed);
  return objects;
}

TEST(WholeGroupsProperty, no_session_evicts_a_part_of_them) {
  FallTally tally;
  const Pipeline own = CompiledText(kShares);
  ForEachSeed([&](std::uint64_t seed) {
    const ClusterObjects objects = ClusterWithWholeGroups(seed);
    const auto snapshot = SnapshotOf(objects);
    const CycleResult result = RunCycle(*snapshot, PipelineOfVictimRound(seed, own), {});
    ASSERT_NO_FATAL_FAILURE(CheckGroupsWhole(objects, result, tally));
  });
  if (Rounds() < 100) return;
  EXPECT_GT(tally.of_several, static_cast<std::size_t>(Rounds() / 50));
  EXPECT_GT(tally.stayed, static_cast<std::size_t>(Rounds()));
}

TEST(WholeGroupsProperty, nor_does_one_with_quotas) {
  FallTally tally;
  ForEachSeed([&](std::uint64_t seed) {
    ClusterObjects objects = RandomQuotas(seed);
    MakeGroupsWhole(objects, seed);
    const auto snapshot = SnapshotOf(objects);
    const CycleResult result = RunCycle(*snapshot, PipelineOf(QuotaConfOf(seed)), {});
    ASSERT_NO_FATAL_FAILURE(CheckGroupsWhole(objects, result, tally));
  });
  if (Rounds() < 100) return;
  EXPECT_GT(tally.of_several, static_cast<std::size_t>(Rounds() / 100));
  EXPECT_GT(tally.stayed, static_cast<std::size_t>(Rounds()));
}

// The walk through the victims of a queue against a look at every node.
TEST(WholeGroupsProperty, the_plan_equals_the_best_of_a_trial_on_every_node) {
  std::size_t with_groups = 0;
  const Pipeline own = CompiledText(kShares);
  ForEachSeed([&](std::uint64_t seed) {
    const ClusterObjects objects = ClusterWithWholeGroups(seed);
    const auto snapshot = SnapshotOf(objects);
    const auto check = [&](Session& session, VictimSearch& search, Statement& statement,
                           TaskIndex preemptor, VictimKind kind) {
      VictimTrial trial(session, statement, preemptor, kind);
      std::optional<VictimPlan> best;
      for (std::size_t n = 0; n < snapshot->nodes.size(); ++n) {
        std::optional<VictimPlan> plan = trial.On(NodeIndex(n));
        if (plan && (!best || trial.Better(*plan, *best))) best = std::move(plan);
      }
      const std::size_t before = statement.evicted().size();
      const bool placed = search.Place(statement, preemptor, kind);
      std::vector<TaskIndex> evicted = statement.evicted();
      evicted.erase(evicted.begin(), evicted.begin() + static_cast<std::ptrdiff_t>(before));
      if (placed && evicted.empty()) return;  // free room
      ASSERT_EQ(placed, best.has_value());
      if (!placed) return;
      ASSERT_EQ(session.state().node(preemptor), best->node);
      ASSERT_EQ(evicted, best->victims);
      with_groups += std::ranges::any_of(evicted, [&](TaskIndex t) { return trial.InUnit(t); });
    };
    ForEachPreemptor(seed, *snapshot, PipelineOfVictimRound(seed, own), check);
  });
  if (Rounds() < 100) return;
  EXPECT_GT(with_groups, static_cast<std::size_t>(Rounds() / 20));
}

}  // namespace
}  // namespace batholith::property
