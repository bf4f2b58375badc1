// The search for victims against a trial on every node. A failure names its seed:
// BATHOLITH_PROPERTY_SEED=<seed> BATHOLITH_PROPERTY_ROUNDS=1 repeats it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "test/property/random_cluster.h"
#include "test/property/victim_rounds.h"

namespace batholith::property {
namespace {

// Jobs fall in another order than by priority, which preempt judges plans by first.
constexpr std::string_view kSharesFirst = R"(
actions: "preempt"
tiers:
- plugins:
  - name: drf
    enablePreemptable: false
  - name: gang
  - name: priority
  - name: predicates
  - name: nodeorder
)";

struct Found {
  NodeIndex node;
  std::vector<TaskIndex> victims;
  bool operator==(const Found&) const = default;
};

// Free room first: the best score, then the lowest index.
NodeIndex FreePlace(Session& session, TaskIndex preemptor) {
  std::vector<NodeIndex> nodes;
  const NodeChecks checks = session.chains().ChecksFor(preemptor);
  const ResourceVector& request = session.snapshot().task(preemptor).request;
  for (std::size_t n = 0; n < session.snapshot().nodes.size(); ++n) {
    const bool room = request.FitsIn(session.state().future_idle(NodeIndex(n)));
    if (room && checks.CheckReserved(NodeIndex(n)).ok()) nodes.emplace_back(n);
  }
  if (nodes.empty()) return NodeIndex::None();
  std::vector<double> scores(nodes.size(), 0);
  session.chains().Score(preemptor, nodes, scores);
  return nodes[static_cast<std::size_t>(std::ranges::max_element(scores) - scores.begin())];
}

Found TryEveryNode(Session& session, Statement& statement, TaskIndex preemptor, VictimKind kind) {
  VictimTrial trial(session, statement, preemptor, kind);
  if (trial.QueueAdmits()) {
    const NodeIndex free = FreePlace(session, preemptor);
    if (!free.is_none()) return {free, {}};
  }
  std::optional<VictimPlan> best;
  for (std::size_t n = 0; n < session.snapshot().nodes.size(); ++n) {
    std::optional<VictimPlan> plan = trial.On(NodeIndex(n));
    if (plan && (!best || trial.Better(*plan, *best))) best = std::move(plan);
  }
  return best ? Found{best->node, best->victims} : Found{};
}

Found Searched(Session& session, VictimSearch& search, Statement& statement, TaskIndex preemptor,
               VictimKind kind) {
  const std::size_t before = statement.evicted().size();
  if (!search.Place(statement, preemptor, kind)) return {};
  const std::vector<TaskIndex> evicted = statement.evicted();
  return {session.state().node(preemptor),
          {evicted.begin() + static_cast<std::ptrdiff_t>(before), evicted.end()}};
}

std::string Text(const Found& found) {
  if (found.node.is_none()) return "nowhere";
  std::string text = fmt::format("node {}, victims", found.node.value());
  for (const TaskIndex t : found.victims) text += fmt::format(" {}", t.value());
  return text;
}

TEST(VictimSearchProperty, equals_a_trial_on_every_node) {
  std::size_t with_victims = 0;
  std::size_t with_many = 0;
  const Pipeline own = CompiledText(kSharesFirst);
  ForEachSeed([&](std::uint64_t seed) {
    RandomClusterOptions options;
    options.full = seed % 4 < 2;
    options.constraints = seed % 8 < 4;
    const auto snapshot = SnapshotOf(RandomCluster(seed, options));
    const auto check = [&](Session& session, VictimSearch& search, Statement& statement,
                           TaskIndex preemptor, VictimKind kind) {
      const Found expected = TryEveryNode(session, statement, preemptor, kind);
      const Found got = Searched(session, search, statement, preemptor, kind);
      ASSERT_EQ(Text(got), Text(expected));
      with_victims += got.victims.empty() ? 0 : 1;
      with_many += got.victims.size() > 1 ? 1 : 0;
    };
    ForEachPreemptor(seed, *snapshot, PipelineOfVictimRound(seed, own), check);
  });
  // A generator that leaves nothing to search for would prove nothing.
  if (Rounds() >= 100) {
    EXPECT_GT(with_victims, static_cast<std::size_t>(Rounds() / 10));
    EXPECT_GT(with_many, std::size_t{0});
  }
  RecordProperty("with_victims", static_cast<int>(with_victims));
  RecordProperty("with_many", static_cast<int>(with_many));
}

std::vector<TaskIndex> Allowed(const Session& session, TaskIndex preemptor, VictimKind kind,
                               std::span<const TaskIndex> candidates) {
  return kind == VictimKind::kReclaim ? session.chains().ReclaimVictims(preemptor, candidates)
                                      : session.chains().PreemptVictims(preemptor, candidates);
}

// So a trial need not ask about all who could fall where the first ones do.
TEST(VictimSearchProperty, what_is_said_of_the_first_candidates_is_the_same_without_the_rest) {
  std::size_t refused = 0;
  const Pipeline own = CompiledText(kSharesFirst);
  ForEachSeed([&](std::uint64_t seed) {
    RandomClusterOptions options;
    options.full = seed % 2 == 0;
    const auto snapshot = SnapshotOf(RandomCluster(seed, options));
    const auto check = [&](Session& session, VictimSearch& search, Statement& statement,
                           TaskIndex preemptor, VictimKind kind) {
      const VictimTrial trial(session, statement, preemptor, kind);
      std::vector<TaskIndex> candidates;
      for (std::size_t t = 0; t < snapshot->tasks.size(); ++t) {
        const bool held = !session.state().node(TaskIndex(t)).is_none();
        if (held && trial.Eligible(TaskIndex(t))) candidates.emplace_back(t);
      }
      std::ranges::sort(candidates, [&](TaskIndex a, TaskIndex b) {
        return session.chains().VictimFallsBefore(a, b, preemptor);
      });
      const std::vector<TaskIndex> all = Allowed(session, preemptor, kind, candidates);
      refused += candidates.size() - all.size();
      for (std::size_t n = 1; n < candidates.size(); ++n) {
        const auto first = std::span(candidates).first(n);
        std::vector<TaskIndex> expected;
        std::ranges::copy_if(all, std::back_inserter(expected), [&](TaskIndex t) {
          return std::ranges::find(first, t) != first.end();
        });
        ASSERT_EQ(Allowed(session, preemptor, kind, first), expected) << n;
      }
      search.Place(statement, preemptor, kind);
    };
    ForEachPreemptor(seed, *snapshot, PipelineOfVictimRound(seed, own), check);
  });
  if (Rounds() < 100) return;
  EXPECT_GT(refused, static_cast<std::size_t>(Rounds()));
}

}  // namespace
}  // namespace batholith::property
