#include "actions/reclaim/reclaim.h"

#include <algorithm>
#include <string_view>

#include "actions/common/error_cache.h"
#include "actions/common/job_queue.h"
#include "actions/common/victim_search.h"
#include "framework/session.h"
#include "framework/statement.h"

namespace batholith {
namespace {

constexpr ArgumentSpec kReclaimArguments[] = {ErrorCacheArgument()};

// Room is made for minimums. Jobs that have theirs are told so, where another queue holds something
// that could be taken.
void TellWhoHasMinimum(Session& session) {
  const Snapshot& s = session.snapshot();
  const SessionState& state = session.state();
  const auto holds = [&](QueueIndex queue) {
    return s.queue(queue).reclaimable && state.queue_allocated(queue) != ResourceVector();
  };
  std::size_t holders = 0;
  for (std::size_t q = 0; q < s.queues.size(); ++q) holders += holds(QueueIndex(q)) ? 1 : 0;
  for (std::size_t j = 0; j < s.jobs.size(); ++j) {
    const JobIndex job(j);
    const QueueIndex queue = s.job(job).queue;
    if (queue.is_none() || state.job(job).Ready() < s.job(job).min_available) continue;
    if (holders == (holds(queue) ? 1U : 0U) || !HasPendingTasks(session, job)) continue;
    if (!IsActive(session, job) || session.chains().JobStarving(job)) continue;
    if (session.chains().Overused(queue)) continue;
    session.attempts().RecordSpared(job, {.action = session.action(), .has_minimum = true});
  }
}

void Reclaim(Session& session) {
  TellWhoHasMinimum(session);
  const bool served_later = JobsAreServedLater(session);
  QueuedJobs starving = CollectStarving(session, /*owed_too=*/true);
  if (starving.empty()) return;
  VictimSearch search(session);
  while (!starving.empty()) {
    const QueueIndex queue = starving.Best();
    for (JobQueue& jobs = starving.Of(queue); !jobs.empty();) {
      const JobIndex job = jobs.Pop();
      Statement statement(session);
      search.PlaceStarving(statement, job, VictimKind::kReclaim, session.chains().Overused(queue));
      KeepOrder(session, jobs, job);
      // Whom free room alone serves is bound by allocate now; a reservation would make it wait.
      if (statement.evicted().empty() && served_later) continue;
      if (session.chains().JobPipelined(job)) statement.Commit();
    }
    starving.Drop(queue);
  }
}

}  // namespace

ActionDescriptor ReclaimAction() {
  return DescribeAction<Reclaim>({
      .name = "reclaim",
      .summary = "takes room back from queues that hold more than they deserve",
      .arguments = kReclaimArguments,
      .asks = {Point::kJobStarving, Point::kReclaimable},
      .makes_room = true,
  });
}

}  // namespace batholith
