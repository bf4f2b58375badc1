// The search for victims against a trial on every node. A failure names its seed:
// BATHOLITH_PROPERTY_SEED=<seed> BATHOLITH_PROPERTY_ROUNDS=1 repeats it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "actions/builtin.h"
#include "actions/common/victim_search.h"
#include "conf/compile.h"
#include "conf/load.h"
#include "plugins/builtin.h"
#include "test/property/property_env.h"
#include "test/property/random_cluster.h"

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

const Pipeline& PipelineOfRound(std::uint64_t seed) {
  if (seed % 3 == 0) return PipelineOf(ConfKind::kPreempt);
  if (seed % 3 == 1) return PipelineOf(ConfKind::kReclaim);
  static const Pipeline pipeline =
      Compile(ParseConf(kSharesFirst, "shares first", {BuiltinPlugins(), BuiltinActions()}).value())
          .value();
  return pipeline;
}

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
    if (room && checks.Check(NodeIndex(n)).ok()) nodes.emplace_back(n);
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

// One search serves many preemptors, so its memory is tested by statements that are kept and
// undone.
TEST(VictimSearchProperty, equals_a_trial_on_every_node) {
  constexpr std::array kKinds{VictimKind::kPreemptJobs, VictimKind::kPreemptWithin,
                              VictimKind::kReclaim};
  std::size_t with_victims = 0;
  std::size_t with_many = 0;
  for (int round = 0; round < Rounds(); ++round) {
    const std::uint64_t seed = FirstSeed() + static_cast<std::uint64_t>(round);
    RecordSeed(seed);
    RandomClusterOptions options;
    options.full = seed % 4 < 2;
    options.constraints = seed % 8 < 4;
    const auto snapshot = SnapshotOf(RandomCluster(seed, options));
    Session session(*snapshot, PipelineOfRound(seed), CycleOptions());
    VictimSearch search(session);
    std::mt19937_64 random(seed);
    Statement statement(session);
    for (std::size_t t = 0; t < snapshot->tasks.size(); ++t) {
      const TaskIndex preemptor(t);
      const JobIndex job = snapshot->task(preemptor).job;
      if (session.state().status(preemptor) != TaskStatus::kPending || job.is_none()) continue;
      if (snapshot->job(job).queue.is_none()) continue;
      const VictimKind kind = kKinds[random() % kKinds.size()];
      const Statement::Checkpoint start = statement.checkpoint();
      const Found expected = TryEveryNode(session, statement, preemptor, kind);
      const Found got = Searched(session, search, statement, preemptor, kind);
      ASSERT_EQ(Text(got), Text(expected)) << "seed " << seed << ", task " << t;
      with_victims += got.victims.empty() ? 0 : 1;
      with_many += got.victims.size() > 1 ? 1 : 0;
      if (random() % 3 == 0) statement.RollbackTo(start);
      if (random() % 8 == 0) statement.Commit();
    }
  }
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
