// The search for victims against every set of victims there is, on small clusters. A failure names
// its seed: BATHOLITH_PROPERTY_SEED=<seed> BATHOLITH_PROPERTY_ROUNDS=1 repeats it.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string_view>
#include <vector>

#include "test/property/random_cluster.h"
#include "test/property/victim_rounds.h"

namespace batholith::property {
namespace {

// Guards that count, before and after plain ones, and a ranker that counts.
constexpr std::string_view kCounting = R"(
actions: "preempt, reclaim"
tiers:
- plugins:
  - name: gang
  - name: pdb
  - name: cdp
  - name: conformance
- plugins:
  - name: priority
    enablePreemptable: false
  - name: drf
  - name: predicates
  - name: capacity
  - name: nodeorder
)";

constexpr std::size_t kMostCandidates = 10;

// Pods of one job differ in what they ask for, so that it matters which of them falls.
void MakeUnlike(ClusterObjects& objects, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (PodRecord& pod : objects.pods) {
    if (random() % 2 == 0) continue;
    for (auto& [name, amount] : pod.request.Edit()) {
      if (name != "pods") amount /= 1 + static_cast<std::int64_t>(random() % 4);
    }
  }
  for (PodGroupRecord& group : objects.pod_groups) {
    if (random() % 2 == 0) group.min_member = std::max(group.min_member / 2, 1);
  }
}

struct Tried {
  bool found = false;  // of which every part may fall as well
  bool odd = false;    // a set that may fall though a part of it may not
  bool all = true;     // no node had too many candidates
};

// Whether some set of tasks of one node may fall together and makes room.
void TryEverySet(Session& session, VictimTrial& trial, NodeIndex node,
                 const std::vector<TaskIndex>& candidates, Tried& tried) {
  const Snapshot& s = session.snapshot();
  const ResourceVector& request = s.task(trial.preemptor()).request;
  std::vector<bool> may_fall(std::size_t{1} << candidates.size(), true);
  for (std::size_t set = 1; set < may_fall.size() && !tried.found; ++set) {
    std::vector<TaskIndex> tasks;
    ResourceVector room = trial.RoomOn(node);
    bool parts = true;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (((set >> i) & 1U) == 0) continue;
      tasks.push_back(candidates[i]);
      room += s.task(candidates[i]).request;
      parts = parts && may_fall[set & ~(std::size_t{1} << i)];
    }
    const bool enough = request.FitsIn(room);
    may_fall[set] = (parts || enough) && trial.MayFallTogether(tasks);
    if (enough && may_fall[set] && trial.MakesRoom(node, tasks))
      (parts ? tried.found : tried.odd) = true;
    may_fall[set] = may_fall[set] && parts;
  }
}

Tried TryEverySetOnNodes(Session& session, VictimTrial& trial) {
  Tried tried;
  for (std::size_t n = 0; n < session.snapshot().nodes.size() && !tried.found; ++n) {
    const NodeIndex node(n);
    std::vector<TaskIndex> candidates;
    for (const TaskIndex t : session.state().tasks_on(node)) {
      if (trial.Eligible(t)) candidates.push_back(t);
    }
    if (candidates.size() > kMostCandidates) {
      tried.all = false;
      continue;
    }
    std::ranges::sort(candidates, [&](TaskIndex a, TaskIndex b) {
      return session.chains().VictimFallsBefore(a, b, trial.preemptor());
    });
    TryEverySet(session, trial, node, candidates, tried);
  }
  return tried;
}

TEST(VictimSetProperty, victims_are_found_if_and_only_if_a_legal_set_exists) {
  std::size_t found = 0;
  std::size_t none = 0;
  const Pipeline own = CompiledText(kCounting);
  ForEachSeed([&](std::uint64_t seed) {
    RandomClusterOptions options;
    options.full = seed % 2 == 0;
    options.constraints = seed % 8 < 2;
    ClusterObjects objects = RandomCluster(seed, options);
    MakeUnlike(objects, seed);
    const auto snapshot = SnapshotOf(objects);
    const auto check = [&](Session& session, VictimSearch& search, Statement& statement,
                           TaskIndex preemptor, VictimKind kind) {
      const std::size_t evicted = statement.evicted().size();
      VictimTrial trial(session, statement, preemptor, kind);
      const Tried tried = TryEverySetOnNodes(session, trial);
      const bool placed = search.Place(statement, preemptor, kind);
      if (statement.evicted().size() > evicted) {
        ASSERT_TRUE(tried.found || tried.odd || !tried.all);
        ++found;
      } else if (!placed) {
        ASSERT_FALSE(tried.found);
        none += tried.all ? 1 : 0;
      }
    };
    ForEachPreemptor(seed, *snapshot, PipelineOfVictimRound(seed, own), check);
  });
  if (Rounds() >= 100) {
    EXPECT_GT(found, static_cast<std::size_t>(Rounds() / 10));
    EXPECT_GT(none, std::size_t{0});
  }
  RecordProperty("found", static_cast<int>(found));
  RecordProperty("none", static_cast<int>(none));
}

}  // namespace
}  // namespace batholith::property
