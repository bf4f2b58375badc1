// The search for victims against a trial on every node. A failure names its seed:
// BATHOLITH_PROPERTY_SEED=<seed> BATHOLITH_PROPERTY_ROUNDS=1 repeats it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
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

}  // namespace
}  // namespace batholith::property
