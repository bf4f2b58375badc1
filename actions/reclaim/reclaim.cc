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

constexpr ArgumentSpec kArguments[] = {ErrorCacheArgument()};

void Reclaim(Session& session) {
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
      .arguments = kArguments,
      .asks = {Point::kJobStarving, Point::kReclaimable},
      .makes_room = true,
  });
}

}  // namespace batholith
