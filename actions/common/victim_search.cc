#include "actions/common/victim_search.h"

#include <algorithm>
#include <set>

#include "actions/common/job_queue.h"
#include "actions/common/quota_plan.h"
#include "actions/common/victim_walk.h"

namespace batholith {

VictimSearch::VictimSearch(Session& session)
    : session_(session), free_(session, Fit::kFuture), hunt_(session) {}

bool VictimSearch::Place(Statement& statement, TaskIndex preemptor, VictimKind kind,
                         bool own_queue_only) {
  if (session_.snapshot().task(preemptor).unserved) return false;
  VictimTrial trial(session_, statement, preemptor, kind, &memory_);
  if (!own_queue_only && trial.QueueAdmits()) {
    const NodeChoice free = free_.Best(preemptor);
    if (!free.node.is_none()) {
      statement.Pipeline(preemptor, free.node);
      return true;
    }
  }
  if (kind != VictimKind::kPreemptWithin && session_.chains().QuotaOf(preemptor) != nullptr) {
    const bool placed = PlaceWithQuotaVictims(session_, statement, preemptor, kind, own_queue_only);
    if (!placed) TellWhoSpares(trial, preemptor, kind);
    return placed;
  }
  const std::optional<VictimPlan> plan = hunt_.Find(trial);
  if (!plan) {
    TellWhoSpares(trial, preemptor, kind);
    return false;
  }
  const JobIndex job = session_.snapshot().task(preemptor).job;
  EvictAll(session_, statement, plan->victims, job);
  statement.Pipeline(preemptor, plan->node);
  return true;
}

// Of the first to fall: those that would not do leave nothing to tell.
void VictimSearch::TellWhoSpares(const VictimTrial& trial, TaskIndex preemptor, VictimKind kind) {
  const Snapshot& snapshot = session_.snapshot();
  const JobIndex job = snapshot.task(preemptor).job;
  std::vector<TaskIndex> first;
  if (kind == VictimKind::kPreemptJobs) {
    hunt_.order().Refresh();
    VictimWalk walk(hunt_.order(), snapshot.job(job).queue, /*with_spared=*/true);
    while (const VictimOrder::Victim* victim = walk.Next()) {
      if (victim->job == job || !trial.CanFall(victim->task)) continue;
      first.push_back(victim->task);
      break;
    }
  }
  for (std::size_t n = 0; kind == VictimKind::kReclaim && n < snapshot.nodes.size(); ++n) {
    for (const TaskIndex t : session_.state().tasks_on(NodeIndex(n))) {
      if (trial.Eligible(t)) first.push_back(t);
    }
    if (first.empty()) continue;
    std::ranges::sort(first, [&](TaskIndex a, TaskIndex b) {
      return session_.chains().VictimFallsBefore(a, b, preemptor);
    });
    break;
  }
  if (first.empty() && kind == VictimKind::kReclaim) {
    std::vector<QueueIndex> queues = trial.QueuesThatKeep();
    if (!queues.empty())
      session_.attempts().RecordSpared(job,
                                       {.action = session_.action(), .queues = std::move(queues)});
  }
  if (first.empty()) return;
  std::vector<std::string_view> plugins = trial.WhoSpares(first);
  if (!plugins.empty())
    session_.attempts().RecordSpared(job,
                                     {.action = session_.action(), .plugins = std::move(plugins)});
}

void VictimSearch::PlaceStarving(Statement& statement, JobIndex job, VictimKind kind,
                                 bool own_queue_only) {
  const QueueIndex queue = session_.snapshot().job(job).queue;
  std::set<ClassIndex> failed;
  std::optional<ResourceVector> held;  // by the job's quota, before anybody is evicted
  for (const TaskIndex task : AllPendingTasks(session_, job)) {
    const QuotaOwner* quota = session_.chains().QuotaOf(task);
    const bool owed = kind == VictimKind::kReclaim && IsOwed(session_, task);
    if (!owed && !session_.chains().JobStarving(job)) {
      if (quota == nullptr) return;
      continue;
    }
    if (NeverPreempts(session_.snapshot(), task)) continue;
    if (failed.contains(session_.classes().Of(task))) continue;
    const bool own_only = own_queue_only || (kind == VictimKind::kReclaim &&
                                             !session_.chains().MayReclaim(queue, task));
    // Only quotas take from tasks of the preemptor's own queue.
    if (own_only && quota == nullptr) continue;
    if (quota != nullptr) {
      if (!held) held = quota->Held(task);
      // What evictions for one member leave free is not for the others to go beyond what is fair.
      if (!quota->KeepsFair(task, *held) && !statement.evicted().empty()) continue;
    }
    if (!Place(statement, task, kind, own_only)) failed.insert(session_.classes().Of(task));
  }
}

}  // namespace batholith
