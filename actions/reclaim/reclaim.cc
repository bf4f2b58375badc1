#include "actions/reclaim/reclaim.h"

#include <algorithm>
#include <string_view>

#include "actions/common/job_queue.h"
#include "actions/common/victim_search.h"
#include "framework/statement.h"

namespace batholith {
void Reclaim(Session& session, const Arguments&) {
  const bool allocate_follows = AllocateFollows(session);
  QueuedJobs starving = CollectStarving(session);
  if (starving.empty()) return;
  VictimSearch search(session);
  while (!starving.empty()) {
    const QueueIndex queue = starving.Best();
    for (JobQueue& jobs = starving.Of(queue); !jobs.empty();) {
      const JobIndex job = jobs.Pop();
      Statement statement(session);
      search.PlaceStarving(statement, job, VictimKind::kReclaim, session.chains().Overused(queue));
      // Whom free room alone serves is bound by allocate now; a reservation would make it wait.
      if (statement.evicted().empty() && allocate_follows) continue;
      if (session.chains().JobPipelined(job)) statement.Commit();
    }
    starving.Drop(queue);
  }
}

}  // namespace batholith
