#include "actions/preempt/preempt.h"

#include "actions/common/error_cache.h"
#include "actions/common/job_queue.h"
#include "actions/common/victim_search.h"
#include "framework/session.h"
#include "framework/statement.h"

namespace batholith {
namespace {

// A task may take the place of a less important one of its own job, when the gang is whole with it.
void PreemptWithin(Session& session, VictimSearch& search, JobIndex job) {
  for (const TaskIndex task : AllPendingTasks(session, job)) {
    if (!session.chains().JobStarving(job) || NeverPreempts(session.snapshot(), task)) return;
    Statement statement(session);
    const bool placed = search.Place(statement, task, VictimKind::kPreemptWithin);
    if (!placed || statement.evicted().empty() || !session.chains().JobPipelined(job)) return;
    statement.Commit();
  }
}

constexpr std::string_view kEveryNode = "every node is tried";

constexpr ArgumentSpec NodeCount(std::string_view name, std::string_view default_text, double min,
                                 double max, std::string_view summary) {
  return {.name = name,
          .type = ArgumentSpec::Type::kInt,
          .default_text = default_text,
          .min = min,
          .max = max,
          .summary = summary,
          .inert = kEveryNode};
}

constexpr ArgumentSpec kArguments[] = {
    ErrorCacheArgument(),
    BoolArgument("enableTopologyAwarePreemption", "false", "tries victims on several nodes at once",
                 kEveryNode),
    NodeCount("topologyAwarePreemptWorkerNum", "16", 1, 10'000, "threads of the above"),
    NodeCount("minCandidateNodesPercentage", "10", 0, 100, "nodes to try, of a hundred, at least"),
    NodeCount("minCandidateNodesAbsolute", "1", 0, 1e9, "nodes to try, at least"),
    NodeCount("maxCandidateNodesAbsolute", "100", 0, 1e9, "nodes to try, at most"),
};

void Preempt(Session& session) {
  const bool served_later = JobsAreServedLater(session);
  QueuedJobs starving = CollectStarving(session, /*owed_too=*/false);
  if (starving.empty()) return;
  VictimSearch search(session);
  while (!starving.empty()) {
    const QueueIndex queue = starving.Best();
    std::vector<JobIndex> jobs_of_queue;
    for (JobQueue& jobs = starving.Of(queue); !jobs.empty();) {
      const JobIndex job = jobs.Pop();
      jobs_of_queue.push_back(job);
      Statement statement(session);
      search.PlaceStarving(statement, job, VictimKind::kPreemptJobs);
      KeepOrder(session, jobs, job);
      // Whom free room alone serves is bound by allocate now; a reservation would make it wait.
      if (statement.evicted().empty() && served_later) continue;
      if (session.chains().JobPipelined(job)) statement.Commit();
    }
    for (const JobIndex job : jobs_of_queue) PreemptWithin(session, search, job);
    starving.Drop(queue);
  }
}

}  // namespace

ActionDescriptor PreemptAction() {
  return DescribeAction<Preempt>({
      .name = "preempt",
      .summary = "makes room inside a queue by evicting lower jobs",
      .arguments = kArguments,
      .asks = {Point::kJobStarving, Point::kPreemptable},
      .makes_room = true,
  });
}

}  // namespace batholith
