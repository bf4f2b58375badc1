// Plans that take room back for a quota, and statements that are dropped. A failure names its seed:
// BATHOLITH_PROPERTY_SEED=<seed> BATHOLITH_PROPERTY_ROUNDS=1 repeats it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "actions/common/quota_plan.h"
#include "framework/session.h"
#include "framework/statement.h"
#include "test/property/quota_env.h"
#include "test/property/random_quotas.h"

namespace batholith::property {
namespace {

struct FoundPlan {
  NodeIndex node;
  std::vector<TaskIndex> victims;
};

bool HasFreePlace(Session& session, TaskIndex preemptor) {
  const Snapshot& s = session.snapshot();
  if (!session.chains().AdmitsSoon(s.job(s.task(preemptor).job).queue, preemptor).ok())
    return false;
  const NodeChecks checks = session.chains().ChecksFor(preemptor);
  for (std::size_t n = 0; n < s.nodes.size(); ++n) {
    const NodeIndex node(n);
    if (s.task(preemptor).request.FitsIn(session.state().future_idle(node)) &&
        checks.CheckReserved(node).ok()) {
      return true;
    }
  }
  return false;
}

std::optional<FoundPlan> PlanFor(const Snapshot& snapshot, TaskIndex preemptor, QuotaConf conf) {
  Session session(snapshot, PipelineOf(conf), CycleOptions());
  Statement statement(session);
  if (!PlaceWithQuotaVictims(session, statement, preemptor, VictimKind::kReclaim, false)) {
    EXPECT_TRUE(statement.evicted().empty()) << "evicts for nothing";
    return std::nullopt;
  }
  return FoundPlan{session.state().node(preemptor), statement.evicted()};
}

// As plans are compared, but for budgets, which these clusters have not.
auto RankOf(const Snapshot& snapshot, const FoundPlan& found) {
  std::int64_t sum = 0;
  std::int32_t top = INT32_MIN;
  std::set<NodeIndex> touched;
  for (const TaskIndex t : found.victims) {
    const std::int32_t priority = snapshot.task(t).record->priority.value_or(0);
    top = std::max(top, priority);
    sum += priority;
    touched.insert(snapshot.task(t).node);
  }
  return std::tuple(top, sum, found.victims.size(), touched.size());
}

// Without all victims but one the preemptor has its place no more.
bool NeedsEach(const Snapshot& snapshot, TaskIndex preemptor, QuotaConf conf,
               const FoundPlan& found) {
  for (const TaskIndex spared : found.victims) {
    Session session(snapshot, PipelineOf(conf), CycleOptions());
    const QuotaOwner& quota = *session.chains().QuotaOf(preemptor);
    const ResourceVector held = quota.Held(preemptor);
    Statement statement(session);
    for (const TaskIndex t : found.victims) {
      if (t != spared) statement.Evict(t, snapshot.task(preemptor).job, "test");
    }
    const QueueIndex queue = snapshot.job(snapshot.task(preemptor).job).queue;
    const NodeChecks checks = session.chains().ChecksFor(preemptor);
    if (session.chains().AdmitsSoon(queue, preemptor).ok() && quota.KeepsFair(preemptor, held) &&
        snapshot.task(preemptor).request.FitsIn(session.state().future_idle(found.node)) &&
        checks.CheckReserved(found.node).ok()) {
      return false;
    }
  }
  return true;
}

TEST(QuotaPlanProperty, a_plan_over_several_nodes_is_never_worse_than_one_node_s) {
  std::size_t plans = 0;
  std::size_t only_across = 0;
  ForEachSeed([&](std::uint64_t seed) {
    RandomQuotaOptions options;
    options.gangs = false;
    options.releasing = seed % 4 == 0;
    if (seed % 2 == 0) options.only = QuotaDialect::kSchedulerPlugins;
    const auto snapshot = SnapshotOf(RandomQuotas(seed, options));
    for (std::size_t t = 0; t < snapshot->tasks.size(); ++t) {
      const TaskIndex preemptor(t);
      Session session(*snapshot, PipelineOf(QuotaConf::kReclaim), CycleOptions());
      if (session.state().status(preemptor) != TaskStatus::kPending) continue;
      if (session.chains().QuotaOf(preemptor) == nullptr || HasFreePlace(session, preemptor))
        continue;
      const auto across = PlanFor(*snapshot, preemptor, QuotaConf::kReclaim);
      const auto on_one = PlanFor(*snapshot, preemptor, QuotaConf::kOneNode);
      if (on_one) {
        ASSERT_TRUE(across) << "task " << t << " has a plan on one node only";
        ASSERT_LE(RankOf(*snapshot, *across), RankOf(*snapshot, *on_one)) << "task " << t;
      }
      if (!across) continue;
      ASSERT_FALSE(across->victims.empty());
      ASSERT_TRUE(NeedsEach(*snapshot, preemptor, QuotaConf::kReclaim, *across)) << "task " << t;
      ++plans;
      only_across += on_one ? 0 : 1;
    }
  });
  if (Rounds() >= 100) {
    EXPECT_GT(plans, static_cast<std::size_t>(Rounds() / 4));
    EXPECT_GT(only_across, std::size_t{0});
  }
  RecordProperty("plans", static_cast<int>(plans));
  RecordProperty("only_across", static_cast<int>(only_across));
}

// Whether some set of at most four tasks may fall together and gives the preemptor its place.
bool SomeSetDoes(Session& session, TaskIndex preemptor) {
  const Snapshot& s = session.snapshot();
  const JobIndex job = s.task(preemptor).job;
  const QuotaOwner& quota = *session.chains().QuotaOf(preemptor);
  const ResourceVector held = quota.Held(preemptor);
  std::vector<TaskIndex> candidates;
  for (const TaskIndex t : quota.SharingQuotas(preemptor)) {
    const TaskFacts& facts = s.task(t);
    if (facts.job.is_none() || facts.job == job || !facts.preemptable) continue;
    if (session.state().status(t) != TaskStatus::kRunning || s.job(facts.job).queue.is_none())
      continue;
    if (session.state().node(t).is_none()) continue;
    if (s.job(facts.job).queue != s.job(job).queue && !s.queue(s.job(facts.job).queue).reclaimable)
      continue;
    candidates.push_back(t);
  }
  const auto fits = [&](NodeIndex node) {
    return s.task(preemptor).request.FitsIn(session.state().future_idle(node)) &&
           session.chains().AdmitsSoon(s.job(job).queue, preemptor).ok() &&
           quota.KeepsFair(preemptor, held) &&
           session.chains().ChecksFor(preemptor).CheckReserved(node).ok();
  };
  std::vector<TaskIndex> set;
  const auto search = [&](auto& self, std::size_t from) -> bool {
    if (!set.empty() && session.chains().ReclaimVictims(preemptor, set).size() == set.size()) {
      Statement statement(session);
      for (const TaskIndex t : set) statement.Evict(t, job, "test");
      for (std::size_t n = 0; n < s.nodes.size(); ++n) {
        if (fits(NodeIndex(n))) return true;
      }
    }
    if (set.size() == 4) return false;
    for (std::size_t i = from; i < candidates.size(); ++i) {
      set.push_back(candidates[i]);
      const bool found = self(self, i + 1);
      set.pop_back();
      if (found) return true;
    }
    return false;
  };
  return search(search, 0);
}

// Of gangs whose pods are unlike it matters which pod falls; the guards count.
TEST(QuotaPlanProperty, where_a_legal_set_of_victims_exists_there_is_a_plan) {
  std::size_t plans = 0;
  std::size_t none = 0;
  ForEachSeed([&](std::uint64_t seed) {
    RandomQuotaOptions options;
    options.units = false;
    ClusterObjects objects = RandomQuotas(seed, options);
    std::mt19937_64 random(seed);
    for (PodGroupRecord& group : objects.pod_groups) {
      if (random() % 2 == 0) group.min_member = std::max(group.min_member - 1, 1);
    }
    if (objects.pods.size() > 16) objects.pods.resize(16);
    const auto snapshot = SnapshotOf(std::move(objects));
    for (std::size_t t = 0; t < snapshot->tasks.size(); ++t) {
      const TaskIndex preemptor(t);
      Session session(*snapshot, PipelineOf(QuotaConf::kGang), CycleOptions());
      if (session.state().status(preemptor) != TaskStatus::kPending) continue;
      if (session.chains().QuotaOf(preemptor) == nullptr || HasFreePlace(session, preemptor))
        continue;
      const bool planned = PlanFor(*snapshot, preemptor, QuotaConf::kGang).has_value();
      ASSERT_TRUE(planned || !SomeSetDoes(session, preemptor)) << "task " << t;
      plans += planned ? 1 : 0;
      none += planned ? 0 : 1;
    }
  });
  if (Rounds() >= 100) {
    EXPECT_GT(plans, static_cast<std::size_t>(Rounds() / 20));
    EXPECT_GT(none, std::size_t{0});
  }
  RecordProperty("plans", static_cast<int>(plans));
  RecordProperty("none", static_cast<int>(none));
}

// What the quotas' sums lead to, for every task and job.
struct QuotaAnswers {
  std::vector<Unfit> admits, admits_soon;
  std::vector<bool> job_before;
  std::vector<std::vector<TaskIndex>> victims;
  std::vector<QuotaStatus> quotas;
  bool operator==(const QuotaAnswers&) const = default;
};

QuotaAnswers QuotaAnswersOf(Session& session) {
  const Snapshot& s = session.snapshot();
  QuotaAnswers a;
  std::vector<TaskIndex> running;
  for (std::size_t t = 0; t < s.tasks.size(); ++t) {
    if (session.state().status(TaskIndex(t)) == TaskStatus::kRunning) running.emplace_back(t);
  }
  for (std::size_t t = 0; t < s.tasks.size(); ++t) {
    const TaskIndex task(t);
    if (session.state().status(task) != TaskStatus::kPending || s.task(task).job.is_none())
      continue;
    const QueueIndex queue = s.job(s.task(task).job).queue;
    a.admits.push_back(session.chains().Admits(queue, task).why);
    a.admits_soon.push_back(session.chains().AdmitsSoon(queue, task).why);
    a.victims.push_back(session.chains().ReclaimVictims(task, running));
    a.victims.push_back(session.chains().PreemptVictims(task, running));
  }
  for (std::size_t j = 0; j < s.jobs.size(); ++j) {
    for (std::size_t o = 0; o < s.jobs.size(); ++o)
      a.job_before.push_back(session.chains().CompareJobs(JobIndex(j), JobIndex(o)) < 0);
  }
  if (const QuotaOwner* quotas = session.chains().quotas())
    quotas->ReportQuotas(/*with_pods=*/false, session.result());
  a.quotas = std::exchange(session.result().quotas, {});
  return a;
}

void Operate(Session& session, Statement& statement, std::mt19937_64& random) {
  const Snapshot& s = session.snapshot();
  const TaskIndex task(random() % s.tasks.size());
  const NodeIndex node(random() % s.nodes.size());
  if (s.task(task).job.is_none()) return;
  const TaskStatus status = session.state().status(task);
  if (status == TaskStatus::kPending) {
    if (random() % 2 == 0) {
      statement.Allocate(task, node);
    } else {
      statement.Pipeline(task, node);
    }
  } else if (status == TaskStatus::kBound || status == TaskStatus::kRunning) {
    statement.Evict(task, s.task(task).job, "test");
    if (random() % 4 == 0) statement.Unevict(task);
  }
}

TEST(QuotaPlanProperty, dropping_a_statement_restores_what_quotas_answer) {
  ForEachSeed([](std::uint64_t seed) {
    const auto snapshot = SnapshotOf(RandomQuotas(seed));
    Session session(*snapshot, PipelineOf(QuotaConfOf(seed)), CycleOptions());
    std::mt19937_64 random(seed);
    if (random() % 2 == 0) {
      Statement committed(session);
      for (int i = 0; i < 6; ++i) Operate(session, committed, random);
      committed.Commit();
    }
    const QuotaAnswers before = QuotaAnswersOf(session);
    {
      Statement statement(session);
      for (int i = 0; i < 30; ++i) {
        const Statement::Checkpoint mark = statement.checkpoint();
        Operate(session, statement, random);
        if (random() % 8 == 0) statement.RollbackTo(mark);
      }
    }
    const QuotaAnswers after = QuotaAnswersOf(session);
    ASSERT_TRUE(after.admits == before.admits) << "admission";
    ASSERT_TRUE(after.admits_soon == before.admits_soon) << "admission soon";
    ASSERT_TRUE(after.job_before == before.job_before) << "job order";
    ASSERT_TRUE(after.victims == before.victims) << "victims";
    ASSERT_TRUE(after.quotas == before.quotas) << "figures";
  });
}

}  // namespace
}  // namespace batholith::property
