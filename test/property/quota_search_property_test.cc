// Plans for quotas on sums, against plans that are tried out. A failure names its seed:
// BATHOLITH_PROPERTY_SEED=<seed> BATHOLITH_PROPERTY_ROUNDS=1 repeats it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include "actions/builtin.h"
#include "actions/common/quota_plan.h"
#include "actions/common/quota_search.h"
#include "actions/common/quota_trial.h"
#include "conf/compile.h"
#include "conf/load.h"
#include "framework/session.h"
#include "framework/statement.h"
#include "plugins/builtin.h"
#include "test/property/property_env.h"
#include "test/property/random_quotas.h"

namespace batholith::property {
namespace {

// Confs in which minimums are spared, so that sums can tell.
const Pipeline& SparingPipelineOf(std::uint64_t seed) {
  static const std::vector<Pipeline> pipelines = [] {
    std::vector<Pipeline> out;
    for (const char* queues : {"proportion", "capacity"}) {
      for (const char* arguments :
           {"compat: ours", "reclaimNow: true", "enableCheckParentQuota: true"}) {
        const std::string text = fmt::format(
            "actions: \"enqueue, allocate, reclaim, preempt, backfill\"\n"
            "tiers:\n"
            "- plugins: [{{name: priority}}, {{name: gang}}, {{name: conformance}}]\n"
            "- plugins: [{{name: predicates}}, {{name: {}}}, "
            "{{name: elasticquota, arguments: {{{}}}}}, {{name: nodeorder}}]\n",
            queues, arguments);
        out.push_back(
            Compile(ParseConf(text, "quotas", {BuiltinPlugins(), BuiltinActions()}).value())
                .value());
      }
    }
    return out;
  }();
  return pipelines[seed % pipelines.size()];
}

// Several queues, priorities on both sides of 0, and ports that keep pods apart.
ClusterObjects Cluster(std::uint64_t seed) {
  RandomQuotaOptions options;
  if (seed % 3 == 0) options.only = QuotaDialect::kKoordinator;
  if (seed % 3 == 1) options.only = QuotaDialect::kSchedulerPlugins;
  ClusterObjects objects = RandomQuotas(seed, options);
  std::mt19937_64 random(seed);
  const std::size_t queues = 1 + random() % 3;
  for (std::size_t q = 1; q < queues; ++q) {
    QueueRecord queue = objects.queues.front();
    queue.meta.name = "q" + std::to_string(q);
    queue.meta.uid += "-" + std::to_string(q);
    queue.reclaimable = random() % 4 != 0;
    objects.queues.push_back(std::move(queue));
  }
  for (PodGroupRecord& group : objects.pod_groups) {
    group.queue = objects.queues[random() % queues].meta.name;
    if (random() % 3 == 0) group.min_member = std::max(group.min_member - 1, 1);
  }
  const bool alike = random() % 2 == 0;
  auto with_port = std::make_shared<PodConstraints>();
  with_port->signature = "port";
  with_port->host_ports.emplace_back().port = 8080;
  for (PodRecord& pod : objects.pods) {
    if (pod.phase == PodPhase::kPending) pod.priority = 20;
    if (pod.phase != PodPhase::kPending)
      pod.priority = alike ? 0 : std::array{-7, -1, 0, 3}[random() % 4];
    if (random() % 10 == 0) pod.constraints = with_port;
  }
  return objects;
}

void Move(Session& session, Statement& statement, std::mt19937_64& random) {
  const Snapshot& s = session.snapshot();
  const TaskIndex task(random() % s.tasks.size());
  if (s.task(task).job.is_none()) return;
  const TaskStatus status = session.state().status(task);
  if (status == TaskStatus::kPending) {
    statement.Pipeline(task, NodeIndex(random() % s.nodes.size()));
  } else if (status == TaskStatus::kBound || status == TaskStatus::kRunning) {
    statement.Evict(task, s.task(task).job, "test");
    if (random() % 4 == 0) statement.Unevict(task);
  }
}

struct SearchTally {
  std::size_t sure = 0;
  std::size_t unsure = 0;
  std::size_t plans = 0;
  std::size_t across = 0;
};

void CompareFor(Session& session, TaskIndex preemptor, SearchTally& tally) {
  for (const VictimKind kind : {VictimKind::kPreemptJobs, VictimKind::kReclaim}) {
    for (const bool own_only : {false, true}) {
      Statement statement(session);
      const QuotaSearch::Answer found =
          QuotaSearch(session, statement, preemptor, kind, own_only).Best();
      ++(found.sure ? tally.sure : tally.unsure);
      if (!found.sure) continue;
      const auto tried = QuotaTrial(session, statement, preemptor, kind, own_only).Best();
      ASSERT_EQ(found.plan.has_value(), tried.has_value())
          << "task " << preemptor.value() << " kind " << static_cast<int>(kind);
      if (!tried) continue;
      ASSERT_EQ(found.plan->node, tried->node) << "task " << preemptor.value();
      ASSERT_EQ(found.plan->victims, tried->victims) << "task " << preemptor.value();
      ++tally.plans;
      tally.across += tried->touched_nodes > 1 ? 1 : 0;
      const bool placed = PlaceWithQuotaVictims(session, statement, preemptor, kind, own_only);
      ASSERT_TRUE(placed);
      ASSERT_EQ(statement.evicted(), tried->victims);
    }
  }
}

TEST(QuotaSearchProperty, finds_the_plan_that_trying_out_finds) {
  SearchTally tally;
  ForEachSeed([&](std::uint64_t seed) {
    const auto snapshot = SnapshotOf(Cluster(seed));
    Session session(*snapshot, SparingPipelineOf(seed), CycleOptions());
    std::mt19937_64 random(seed);
    Statement moves(session);
    for (int round = 0; round < 4; ++round) {
      for (std::size_t t = 0; t < snapshot->tasks.size(); ++t) {
        const TaskIndex preemptor(t);
        if (session.state().status(preemptor) != TaskStatus::kPending) continue;
        if (snapshot->task(preemptor).job.is_none()) continue;
        if (session.chains().QuotaOf(preemptor) == nullptr) continue;
        ASSERT_NO_FATAL_FAILURE(CompareFor(session, preemptor, tally)) << "round " << round;
      }
      for (int i = 0; i < 3; ++i) Move(session, moves, random);
      if (round == 2) moves.RollbackTo(moves.checkpoint() / 2);
    }
  });
  if (Rounds() >= 100) {
    EXPECT_GT(tally.sure, tally.unsure);
    EXPECT_GT(tally.plans, static_cast<std::size_t>(Rounds()));
    EXPECT_GT(tally.across, static_cast<std::size_t>(Rounds() / 10));
  }
  RecordProperty("sure", static_cast<int>(tally.sure));
  RecordProperty("unsure", static_cast<int>(tally.unsure));
  RecordProperty("plans", static_cast<int>(tally.plans));
  RecordProperty("across", static_cast<int>(tally.across));
}

// What sums say of admission after victims have left, for any set of them that may fall.
TEST(QuotaSearchProperty, who_gives_what_is_short_makes_room_in_quotas_and_queues) {
  std::size_t admitted = 0;
  std::size_t refused = 0;
  ForEachSeed([&](std::uint64_t seed) {
    const auto snapshot = SnapshotOf(Cluster(seed));
    Session session(*snapshot, SparingPipelineOf(seed), CycleOptions());
    std::mt19937_64 random(seed);
    for (std::size_t i = 0; i < snapshot->tasks.size(); ++i) {
      const TaskIndex preemptor(i);
      const JobIndex job = snapshot->task(preemptor).job;
      const QuotaOwner* quota = session.chains().QuotaOf(preemptor);
      if (session.state().status(preemptor) != TaskStatus::kPending || job.is_none()) continue;
      if (quota == nullptr) continue;
      const QueueIndex queue = snapshot->job(job).queue;
      const ResourceVector held = quota->Held(preemptor);
      std::vector<Shortfall> lacks;
      if (!session.chains().AddShortfalls(queue, preemptor, lacks) ||
          !quota->AddUnfair(preemptor, held, lacks))
        continue;
      std::vector<TaskIndex> asked;
      for (const TaskIndex t : quota->SharingQuotas(preemptor)) {
        if (session.state().status(t) == TaskStatus::kRunning && random() % 2 == 0 &&
            !snapshot->task(t).job.is_none() && snapshot->task(t).job != job)
          asked.push_back(t);
      }
      const std::vector<TaskIndex> victims = session.chains().ReclaimVictims(preemptor, asked);
      const std::vector<TaskIndex> some(asked.begin(), asked.begin() + std::ssize(asked) / 2);
      const std::vector<TaskIndex> first = session.chains().ReclaimVictims(preemptor, some);
      ASSERT_LE(first.size(), victims.size());
      ASSERT_TRUE(std::equal(first.begin(), first.end(), victims.begin()))
          << "those first to fall depend on those behind them";
      const bool enough = std::ranges::all_of(lacks, [&](const Shortfall& lack) {
        std::int64_t given = 0;
        for (const TaskIndex t : victims) given += lack.source->Relief(lack, t);
        return given >= lack.amount;
      });
      Statement statement(session);
      for (const TaskIndex t : victims) statement.Evict(t, job, "test");
      const bool admits =
          session.chains().AdmitsSoon(queue, preemptor).ok() && quota->KeepsFair(preemptor, held);
      ASSERT_EQ(enough, admits) << "task " << i;
      ++(admits ? admitted : refused);
    }
  });
  if (Rounds() >= 100) {
    EXPECT_GT(admitted, static_cast<std::size_t>(Rounds()));
    EXPECT_GT(refused, static_cast<std::size_t>(Rounds() / 4));
  }
}

}  // namespace
}  // namespace batholith::property
