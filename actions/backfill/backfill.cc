#include "actions/backfill/backfill.h"

#include "actions/common/error_cache.h"
#include "actions/common/hard_topology.h"
#include "actions/common/job_queue.h"
#include "actions/common/slot_chooser.h"
#include "framework/session.h"
#include "framework/statement.h"

namespace batholith {
namespace {

// A reservation is exchanged for a place where there is one now; else it stays. A gang gets all
// the places that it needs, or none.
void BackfillJob(Session& session, SlotChooser& chooser, JobIndex job) {
  Statement statement(session);
  for (const TaskIndex task : UnplacedBestEffortTasks(session, job)) {
    const Statement::Checkpoint start = statement.checkpoint();
    const bool reserved = session.state().status(task) == TaskStatus::kPipelined;
    if (reserved) statement.Unpipeline(task);
    const NodeChoice choice = chooser.Best(task);
    if (choice.node.is_none()) {
      if (!reserved) chooser.Tell(task);
      statement.RollbackTo(start);
      continue;
    }
    statement.Allocate(task, choice.node);
    if (session.chains().JobWhole(job)) statement.Commit();
  }
  if (!statement.empty())
    session.attempts().RecordGivenBack(job, static_cast<std::int32_t>(statement.placed().size()));
}

constexpr ArgumentSpec kBackfillArguments[] = {ErrorCacheArgument()};

void Backfill(Session& session) {
  QueuedJobs waiting(session);
  JobTopologies topologies(session);
  for (std::size_t j = 0; j < session.snapshot().jobs.size(); ++j) {
    const JobIndex job(j);
    if (UnplacedBestEffortTasks(session, job).empty() || !IsActive(session, job)) continue;
    if (!HoldForTopology(session, topologies, job)) waiting.Add(job);
  }
  if (waiting.empty()) return;
  SlotChooser chooser(session, topologies);
  while (!waiting.empty()) {
    const QueueIndex queue = waiting.Best();
    for (JobQueue& jobs = waiting.Of(queue); !jobs.empty();)
      BackfillJob(session, chooser, jobs.Pop());
    waiting.Drop(queue);
  }
}

}  // namespace

ActionDescriptor BackfillAction() {
  return DescribeAction<Backfill>({
      .name = "backfill",
      .summary = "places pods that ask for nothing",
      .arguments = kBackfillArguments,
      .places = true,
      .places_best_effort = true,
  });
}

}  // namespace batholith
