#include "actions/common/quota_plan.h"

#include "actions/common/quota_search.h"
#include "actions/common/quota_trial.h"

namespace batholith {
namespace {

std::optional<QuotaPlan> BestPlan(Session& session, Statement& statement, TaskIndex preemptor,
                                  VictimKind kind, bool own_queue_only) {
  QuotaSearch::Answer on_sums =
      QuotaSearch(session, statement, preemptor, kind, own_queue_only).Best();
  if (on_sums.sure) return std::move(on_sums.plan);
  return QuotaTrial(session, statement, preemptor, kind, own_queue_only).Best();
}

}  // namespace

bool PlaceWithQuotaVictims(Session& session, Statement& statement, TaskIndex preemptor,
                           VictimKind kind, bool own_queue_only) {
  const std::optional<QuotaPlan> plan =
      BestPlan(session, statement, preemptor, kind, own_queue_only);
  if (!plan) return false;
  const JobIndex job = session.snapshot().task(preemptor).job;
  EvictAll(session, statement, plan->victims, job);
  statement.Pipeline(preemptor, plan->node);
  return true;
}

}  // namespace batholith
