#include "actions/backfill/backfill.h"

#include <map>
#include <memory>

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
  const Snapshot& snapshot = session.snapshot();
  std::map<QueueIndex, JobQueue> waiting;
  std::vector<QueueIndex> queues;
  for (std::size_t j = 0; j < snapshot.jobs.size(); ++j) {
    const JobIndex job(j);
    if (!IsActive(session, job) || PendingTasks(session, job, /*best_effort=*/true).empty())
      continue;
    const QueueIndex queue = snapshot.job(job).queue;
    const auto [it, added] = waiting.try_emplace(queue, session);
    if (added) queues.push_back(queue);
    it->second.Push(job);
  }
  if (queues.empty()) return;
  NodeChooser chooser(session, NodeChooser::Fit::kSlotOnly);
  while (!queues.empty()) {
    const std::size_t i = BestQueue(session, queues);
    JobQueue& jobs = waiting.at(queues[i]);
    while (!jobs.empty()) BackfillJob(session, chooser, jobs.Pop());
    queues.erase(queues.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace batholith
