// What the search for victims keeps from one preemptor to the next, against the same found out
// anew, while tasks are moved at random. A failure names its seed: BATHOLITH_PROPERTY_SEED=<seed>
// BATHOLITH_PROPERTY_ROUNDS=1 repeats it.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string_view>
#include <vector>

#include "actions/common/victim_sums.h"
#include "actions/common/victim_walk.h"
#include "test/property/random_cluster.h"
#include "test/property/victim_rounds.h"

namespace batholith::property {
namespace {

constexpr int kSteps = 40;

// Ranks change with every move, in several namespaces, and gangs come to be spared and back.
constexpr std::string_view kRanks = R"(
actions: "preempt, reclaim"
tiers:
- plugins:
  - name: drf
    enableNamespaceOrder: true
  - name: gang
  - name: priority
  - name: predicates
  - name: proportion
  - name: nodeorder
)";

// Evicts, reserves, undoes or keeps.
class RandomMoves {
 public:
  RandomMoves(Session& session, std::uint64_t seed)
      : session_(session), statement_(session), random_(seed) {}

  void Step() {
    const std::uint64_t draw = random_() % 8;
    if (draw == 0) {
      statement_.RollbackTo(0);
    } else if (draw == 1) {
      statement_.Commit();
    } else {
      Move(TaskIndex(random_() % session_.snapshot().tasks.size()));
    }
  }
  std::size_t Draw(std::size_t below) { return random_() % below; }

 private:
  void Move(TaskIndex task) {
    const TaskStatus status = session_.state().status(task);
    const JobIndex job = session_.snapshot().task(task).job;
    if (job.is_none()) return;
    if (status == TaskStatus::kPending)
      statement_.Pipeline(task, NodeIndex(Draw(session_.snapshot().nodes.size())));
    if (status == TaskStatus::kRunning || status == TaskStatus::kBound)
      statement_.Evict(task, job, "");
  }

  Session& session_;
  Statement statement_;
  std::mt19937_64 random_;
};

// Mostly of one queue: for another one nothing is kept.
std::vector<TaskIndex> Reclaimers(const Session& session, RandomMoves& moves) {
  std::vector<TaskIndex> out;
  const bool any = moves.Draw(8) == 0;
  for (std::size_t t = 0; t < session.snapshot().tasks.size(); ++t) {
    const JobIndex job = session.snapshot().tasks[t].job;
    if (session.state().status(TaskIndex(t)) != TaskStatus::kPending || job.is_none()) continue;
    const QueueIndex queue = session.snapshot().job(job).queue;
    if (!queue.is_none() && (any || queue.value() == 0)) out.emplace_back(t);
  }
  return out;
}

bool CouldHoldNow(const Session& session, const VictimTrial& trial, NodeIndex node) {
  ResourceVector room = trial.RoomOn(node);
  for (const TaskIndex t : session.state().tasks_on(node)) {
    if (trial.Eligible(t) && !session.chains().ReclaimSpares(session.snapshot().task(t).job))
      room += session.snapshot().task(t).request;
  }
  return session.snapshot().task(trial.preemptor()).request.FitsIn(room);
}

struct Counts {
  int can = 0;
  int cannot = 0;
  int passed_over = 0;
};

void CheckSums(Session& session, VictimSums& sums, TaskIndex reclaimer, Counts& counts) {
  const Snapshot& s = session.snapshot();
  Statement nothing(session);
  const VictimTrial trial(session, nothing, reclaimer, VictimKind::kReclaim);
  const ResourceVector& request = s.task(reclaimer).request;
  std::vector<std::size_t> wanted;
  for (std::size_t r = 0; r < s.schema.size(); ++r) {
    if (request[r] > 0) wanted.push_back(r);
  }
  const VictimSums::Asker asker{&request, wanted, !session.slack_guard().MayUse(reclaimer)};
  const ClassIndex class_ = session.classes().Of(reclaimer);
  sums.Refresh(s.job(s.task(reclaimer).job).queue);
  const std::size_t first = sums.FirstFor(class_).value();
  for (std::size_t n = 0; n < s.nodes.size(); ++n) {
    const NodeIndex node(n);
    const bool could = CouldHoldNow(session, trial, node);
    if (n < first) {
      ASSERT_FALSE(could) << "node " << n << " was passed over";
      ++counts.passed_over;
      continue;
    }
    ASSERT_EQ(sums.CouldHold(node, asker), could) << "node " << n;
    if (!could) sums.PassOver(node, class_, /*refused=*/false);
    ++(could ? counts.can : counts.cannot);
    if (could) break;  // as a search does, which leaves the sums behind it as they were
  }
}

TEST(VictimMemoryProperty, sums_that_are_kept_equal_sums_made_anew) {
  Counts counts;
  ForEachSeed([&](std::uint64_t seed) {
    RandomClusterOptions options;
    options.full = seed % 4 != 0;
    const auto snapshot = SnapshotOf(RandomCluster(seed, options));
    const Pipeline pipeline = CompiledText(kRanks);
    Session session(*snapshot, pipeline, CycleOptions());
    VictimSums sums(session);
    RandomMoves moves(session, seed);
    if (snapshot->tasks.empty() || snapshot->nodes.empty()) return;
    for (int i = 0; i < kSteps; ++i) {
      for (std::size_t times = moves.Draw(4); times-- > 0;) moves.Step();
      const std::vector<TaskIndex> reclaimers = Reclaimers(session, moves);
      if (reclaimers.empty()) continue;
      const TaskIndex reclaimer = reclaimers[moves.Draw(reclaimers.size())];
      ASSERT_NO_FATAL_FAILURE(CheckSums(session, sums, reclaimer, counts)) << "step " << i;
    }
  });
  // A generator under which every node could always hold everybody would prove nothing.
  if (Rounds() < 100) return;
  EXPECT_GT(counts.can, Rounds());
  EXPECT_GT(counts.cannot, Rounds());
  EXPECT_GT(counts.passed_over, Rounds());
}

// Who stands, first to fall first.
std::vector<TaskIndex> SortedVictims(const Session& session, QueueIndex queue, bool with_spared) {
  const Snapshot& s = session.snapshot();
  std::vector<TaskIndex> out;
  for (const JobIndex job : s.queue(queue).jobs) {
    if (!with_spared && session.chains().PreemptSpares(job)) continue;
    for (const TaskIndex t : s.job(job).tasks) {
      const TaskStatus status = session.state().status(t);
      const bool stands = status == TaskStatus::kRunning || status == TaskStatus::kBound;
      if (stands && VictimOrder::IsVictim(s.task(t))) out.push_back(t);
    }
  }
  std::ranges::sort(
      out, [&](TaskIndex a, TaskIndex b) { return session.chains().VictimFallsBefore(a, b, a); });
  return out;
}

void CheckWalk(const Session& session, VictimOrder& order, QueueIndex queue, bool with_spared) {
  const Snapshot& s = session.snapshot();
  std::vector<TaskIndex> walked;
  std::int32_t least_left = INT32_MIN;
  VictimWalk walk(order, queue, with_spared);
  while (const VictimOrder::Victim* victim = walk.Next()) {
    ASSERT_GE(walk.LeastPriorityLeft(), least_left);
    least_left = walk.LeastPriorityLeft();
    ASSERT_GE(s.job(victim->job).priority, least_left);
    const TaskStatus status = session.state().status(victim->task);
    if (status == TaskStatus::kRunning || status == TaskStatus::kBound)
      walked.push_back(victim->task);
  }
  ASSERT_EQ(walked, SortedVictims(session, queue, with_spared));
}

TEST(VictimMemoryProperty, a_walk_through_kept_ranks_equals_sorting_all_victims) {
  std::size_t several_ranks = 0;
  ForEachSeed([&](std::uint64_t seed) {
    RandomClusterOptions options;
    options.full = seed % 2 == 0;
    const auto snapshot = SnapshotOf(RandomCluster(seed, options));
    const Pipeline pipeline = CompiledText(kRanks);
    Session session(*snapshot, pipeline, CycleOptions());
    VictimOrder order(session);
    RandomMoves moves(session, seed);
    if (snapshot->tasks.empty() || snapshot->nodes.empty() || snapshot->queues.empty()) return;
    for (int i = 0; i < kSteps; ++i) {
      for (std::size_t times = moves.Draw(4); times-- > 0;) moves.Step();
      const QueueIndex queue(moves.Draw(snapshot->queues.size()));
      order.Refresh();
      ASSERT_NO_FATAL_FAILURE(CheckWalk(session, order, queue, i % 2 == 0)) << "step " << i;
      for (const VictimOrder::Lane& lane : order.LanesOf(queue))
        several_ranks += lane.ranks.size() > 1 ? 1 : 0;
    }
  });
  if (Rounds() < 100) return;
  EXPECT_GT(several_ranks, static_cast<std::size_t>(Rounds()));
}

}  // namespace
}  // namespace batholith::property
