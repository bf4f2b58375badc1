#include "actions/reclaim/reclaim.h"

#include "actions/common/job_queue.h"
#include "actions/common/victim_search.h"
#include "framework/statement.h"

namespace batholith {

void Reclaim(Session& session, const Arguments&) {
  QueuedJobs starving = CollectStarving(session);
  if (starving.empty()) return;
  VictimSearch search(session);
  while (!starving.empty()) {
    const QueueIndex queue = starving.Best();
    for (JobQueue& jobs = starving.Of(queue); !jobs.empty();) {
      const JobIndex job = jobs.Pop();
      Statement statement(session);
      search.PlaceStarving(statement, job, VictimKind::kReclaim, session.Overused(queue));
      if (session.JobPipelined(job)) statement.Commit();
    }
    starving.Drop(queue);
  }
}

}  // namespace batholith
