#include "actions/reclaim/reclaim.h"

#include <algorithm>
#include <string_view>

#include "actions/common/job_queue.h"
#include "actions/common/victim_search.h"
#include "framework/statement.h"

namespace batholith {
namespace {

// Whether allocate runs later in this session.
bool AllocateFollows(const Session& session) {
  const auto& actions = session.pipeline().actions;
  const auto name = [](const Pipeline::ActionEntry& a) { return a.descriptor->name; };
  const auto here = std::ranges::find(actions, session.action(), name);
  return std::ranges::find(here, actions.end(), std::string_view("allocate"), name) !=
         actions.end();
}

}  // namespace

void Reclaim(Session& session, const Arguments&) {
  const bool allocate_follows = AllocateFollows(session);
  QueuedJobs starving = CollectStarving(session);
  while (!starving.empty()) {
    const QueueIndex queue = starving.Best();
    for (JobQueue& jobs = starving.Of(queue); !jobs.empty() && !session.Overused(queue);) {
      const JobIndex job = jobs.Pop();
      Statement statement(session);
      PlaceStarving(session, statement, job, VictimKind::kReclaim);
      // Whom free room alone serves is bound by allocate now; a reservation would make it wait.
      if (statement.evicted().empty() && allocate_follows) continue;
      if (session.JobPipelined(job)) statement.Commit();
    }
    starving.Drop(queue);
  }
}

}  // namespace batholith
