// Statements are undoable: after any sequence of operations a rollback brings back every column,
// and what every plugin answers, to equality.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "framework/session.h"
#include "framework/statement.h"
#include "test/property/property_env.h"
#include "test/property/random_cluster.h"

namespace batholith::property {
namespace {

struct Columns {
  std::vector<TaskStatus> status;
  std::vector<NodeIndex> node;
  std::vector<ResourceVector> idle, used, future_idle;
  std::vector<std::vector<TaskIndex>> tasks_on;  // sorted: their order on a node means nothing
  std::vector<std::array<std::int32_t, 10>> by_status;
  std::vector<std::int32_t> pending_best_effort;
  std::vector<ResourceVector> job_allocated;
  std::vector<ResourceVector> queue_allocated;
};

Columns ColumnsOf(const Session& session) {
  const Snapshot& s = session.snapshot();
  const SessionState& state = session.state();
  Columns c;
  for (std::size_t t = 0; t < s.tasks.size(); ++t) {
    c.status.push_back(state.status(TaskIndex(t)));
    c.node.push_back(state.node(TaskIndex(t)));
  }
  for (std::size_t n = 0; n < s.nodes.size(); ++n) {
    c.idle.push_back(state.idle(NodeIndex(n)));
    c.used.push_back(state.used(NodeIndex(n)));
    c.future_idle.push_back(state.future_idle(NodeIndex(n)));
    const auto tasks = state.tasks_on(NodeIndex(n));
    c.tasks_on.emplace_back(tasks.begin(), tasks.end());
    std::ranges::sort(c.tasks_on.back());
  }
  for (std::size_t j = 0; j < s.jobs.size(); ++j) {
    const JobCounters& job = state.job(JobIndex(j));
    c.by_status.push_back(job.by_status);
    c.pending_best_effort.push_back(job.pending_best_effort);
    c.job_allocated.push_back(state.job_allocated(JobIndex(j)));
  }
  for (std::size_t q = 0; q < s.queues.size(); ++q)
    c.queue_allocated.push_back(state.queue_allocated(QueueIndex(q)));
  return c;
}

// What the plugins say about everything, so that their own sums are seen to come back too.
struct PluginAnswers {
  std::vector<bool> overused, ready, pipelined, starving;
  std::vector<double> shares;
  std::vector<bool> job_before, queue_before;
  std::vector<QueueVerdict> admits;
  std::vector<Unfit> nodes;
  std::vector<double> scores;
};

PluginAnswers PluginAnswersOf(Session& session) {
  const Snapshot& s = session.snapshot();
  PluginAnswers a;
  for (std::size_t q = 0; q < s.queues.size(); ++q) {
    a.overused.push_back(session.chains().Overused(QueueIndex(q)));
    const auto figures = session.chains().Figures(QueueIndex(q));
    a.shares.push_back(figures ? figures->share : -1);
    for (std::size_t o = 0; o < s.queues.size(); ++o) {
      a.queue_before.push_back(session.chains().CompareQueues(QueueIndex(q), QueueIndex(o)) < 0);
    }
  }
  for (std::size_t j = 0; j < s.jobs.size(); ++j) {
    a.ready.push_back(session.chains().JobReady(JobIndex(j)));
    a.pipelined.push_back(session.chains().JobPipelined(JobIndex(j)));
    a.starving.push_back(session.chains().JobStarving(JobIndex(j)));
    for (std::size_t o = 0; o < s.jobs.size(); ++o) {
      if (s.jobs[j].queue != s.jobs[o].queue || s.jobs[j].queue.is_none()) continue;
      a.job_before.push_back(session.chains().CompareJobs(JobIndex(j), JobIndex(o)) < 0);
    }
  }
  std::vector<NodeIndex> nodes;
  for (std::size_t n = 0; n < s.nodes.size(); ++n) nodes.push_back(NodeIndex(n));
  for (std::size_t t = 0; t < s.tasks.size(); ++t) {
    const TaskIndex task(t);
    if (s.tasks[t].job.is_none() || session.state().status(task) != TaskStatus::kPending) continue;
    const QueueIndex queue = s.job(s.tasks[t].job).queue;
    if (!queue.is_none()) a.admits.push_back(session.chains().Admits(queue, task));
    const NodeChecks checks = session.chains().ChecksFor(task);
    for (const NodeIndex node : nodes) {
      a.nodes.push_back(checks.Check(node));
      a.nodes.push_back(checks.CheckReserved(node));
    }
    std::vector<double> scores(nodes.size(), 0);
    session.chains().Score(task, nodes, scores);
    a.scores.insert(a.scores.end(), scores.begin(), scores.end());
  }
  return a;
}

void ExpectEqual(const Columns& got, const Columns& want) {
  EXPECT_TRUE(got.status == want.status) << "status";
  EXPECT_TRUE(got.node == want.node) << "node";
  EXPECT_TRUE(got.idle == want.idle) << "idle";
  EXPECT_TRUE(got.used == want.used) << "used";
  EXPECT_TRUE(got.future_idle == want.future_idle) << "future idle";
  EXPECT_TRUE(got.tasks_on == want.tasks_on) << "tasks on nodes";
  EXPECT_TRUE(got.by_status == want.by_status) << "tasks of jobs by status";
  EXPECT_TRUE(got.pending_best_effort == want.pending_best_effort) << "pending best effort";
  EXPECT_TRUE(got.job_allocated == want.job_allocated) << "allocated of jobs";
  EXPECT_TRUE(got.queue_allocated == want.queue_allocated) << "allocated of queues";
}

void ExpectEqual(const PluginAnswers& got, const PluginAnswers& want) {
  EXPECT_TRUE(got.overused == want.overused) << "overused";
  EXPECT_TRUE(got.shares == want.shares) << "queue shares";
  EXPECT_TRUE(got.queue_before == want.queue_before) << "queue order";
  EXPECT_TRUE(got.job_before == want.job_before) << "job order";
  EXPECT_TRUE(got.ready == want.ready) << "job ready";
  EXPECT_TRUE(got.pipelined == want.pipelined) << "job pipelined";
  EXPECT_TRUE(got.starving == want.starving) << "job starving";
  EXPECT_TRUE(got.admits == want.admits) << "queue admission";
  EXPECT_TRUE(got.nodes == want.nodes) << "predicates";
  EXPECT_TRUE(got.scores == want.scores) << "scores";
}

// Draws operations on one session.
class Driver {
 public:
  Driver(Session& session, std::uint64_t seed) : session_(session), random_(seed) {}

  std::uint64_t Below(std::size_t n) { return random_() % n; }

  // An operation on a random task that permits one. Nodes need not have room: undo has to work all
  // the same.
  void Operate(Statement& statement) {
    const Snapshot& s = session_.snapshot();
    if (s.tasks.empty() || s.nodes.empty()) return;
    const TaskIndex task(Below(s.tasks.size()));
    if (s.task(task).job.is_none()) return;
    const NodeIndex node(Below(s.nodes.size()));
    const TaskStatus status = session_.state().status(task);
    if (status == TaskStatus::kPending) {
      if (Below(2) == 0) {
        statement.Allocate(task, node);
      } else {
        statement.Pipeline(task, node);
      }
    } else if (status == TaskStatus::kPipelined && Below(2) == 0) {
      statement.Unpipeline(task);
    } else if (status == TaskStatus::kBound || status == TaskStatus::kRunning) {
      statement.Evict(task, s.task(task).job, "test");
      if (Below(4) == 0) statement.Unevict(task);
    }
  }

 private:
  Session& session_;
  std::mt19937_64 random_;
};

void CheckOneSession(std::uint64_t seed, ConfKind conf) {
  const auto snapshot = SnapshotOf(RandomCluster(seed));
  Session session(*snapshot, PipelineOf(conf), CycleOptions());
  Driver driver(session, seed);
  // Undo has to come back to where committed statements have led, not only to the start.
  if (driver.Below(2) == 0) {
    Statement committed(session);
    for (int i = 0; i < 8; ++i) driver.Operate(committed);
    committed.Commit();
  }
  const Columns columns = ColumnsOf(session);
  const PluginAnswers answers = PluginAnswersOf(session);
  {
    Statement statement(session);
    std::vector<std::pair<Statement::Checkpoint, Columns>> marks;
    for (int i = 0; i < 60; ++i) {
      const std::uint64_t dice = driver.Below(10);
      if (dice == 0) {
        marks.emplace_back(statement.checkpoint(), ColumnsOf(session));
      } else if (dice == 1 && !marks.empty()) {
        const std::size_t to = driver.Below(marks.size());
        statement.RollbackTo(marks[to].first);
        ExpectEqual(ColumnsOf(session), marks[to].second);
        marks.resize(to + 1);
      } else {
        driver.Operate(statement);
      }
    }
  }
  ExpectEqual(ColumnsOf(session), columns);
  ExpectEqual(PluginAnswersOf(session), answers);
}

TEST(StatementProperty, dropping_a_statement_restores_every_column_and_every_answer) {
  const std::uint64_t first = FirstSeed();
  for (int round = 0; round < Rounds(); ++round) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(round);
    RecordSeed(seed);
    const auto conf = ConfKindOf(seed);
    SCOPED_TRACE(fmt::format("seed {}, conf {}", seed, ConfKindName(conf)));
    CheckOneSession(seed, conf);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace batholith::property
