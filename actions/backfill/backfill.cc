#include "actions/backfill/backfill.h"

#include "actions/common/job_queue.h"
#include "framework/node_chooser.h"
#include "framework/statement.h"

namespace batholith {
namespace {

void BackfillJob(Session& session, NodeChooser& chooser, JobIndex job) {
  Statement statement(session);
  for (const TaskIndex task : PendingTasks(session, job, /*best_effort=*/true)) {
    const NodeChoice choice = chooser.Best(task);
    if (choice.node.is_none()) {
      session.RecordUnfit(task, chooser.Explain(task));
      continue;
    }
    statement.Allocate(task, choice.node);
    if (session.JobReady(job)) statement.Commit();
  }
}

}  // namespace

void Backfill(Session& session, const Arguments&) {
  QueuedJobs waiting(session);
  for (std::size_t j = 0; j < session.snapshot().jobs.size(); ++j) {
    const JobIndex job(j);
    if (HasPendingTasks(session, job, /*best_effort=*/true) && IsActive(session, job))
      waiting.Add(job);
  }
  if (waiting.empty()) return;
  NodeChooser chooser(session, NodeChooser::Fit::kSlotOnly);
  while (!waiting.empty()) {
    const QueueIndex queue = waiting.Best();
    for (JobQueue& jobs = waiting.Of(queue); !jobs.empty();)
      BackfillJob(session, chooser, jobs.Pop());
    waiting.Drop(queue);
  }
}

}  // namespace batholith
