#include "actions/common/victim_trial.h"

#include <algorithm>

#include "actions/common/job_queue.h"

namespace batholith {

VictimTrial::VictimTrial(Session& session, Statement& statement, TaskIndex preemptor,
                         VictimKind kind)
    : session_(session),
      snapshot_(session.snapshot()),
      statement_(statement),
      preemptor_(preemptor),
      kind_(kind),
      job_(snapshot_.task(preemptor).job),
      queue_(snapshot_.job(job_).queue),
      request_(snapshot_.task(preemptor).request),
      checks_(session.checks().Of(preemptor)),
      cluster_(session.chains().DependenceOf(preemptor) == Dependence::kCluster) {}

bool VictimTrial::QueueAdmits() const {
  const bool asked_before = kind_ == VictimKind::kReclaim &&
                            session_.chains().QuotaOf(preemptor_) == nullptr &&
                            !JobsWereServed(session_);
  return asked_before || session_.chains().AdmitsSoon(queue_, preemptor_).ok();
}

bool VictimTrial::CanFall(TaskIndex victim) const {
  const TaskStatus status = session_.state().status(victim);
  if (kind_ == VictimKind::kReclaim) return status == TaskStatus::kRunning;
  if (status != TaskStatus::kRunning && status != TaskStatus::kBound) return false;
  return !snapshot_.task(preemptor_).best_effort || snapshot_.task(victim).best_effort;
}

bool VictimTrial::Eligible(TaskIndex victim) const {
  const TaskFacts& facts = snapshot_.task(victim);
  if (facts.job.is_none() || !facts.preemptable || !CanFall(victim)) return false;
  const QueueIndex queue = snapshot_.job(facts.job).queue;
  if (queue.is_none()) return false;
  switch (kind_) {
    case VictimKind::kReclaim:
      return queue != queue_ && snapshot_.queue(queue).reclaimable;
    case VictimKind::kPreemptJobs:
      return queue == queue_ && facts.job != job_;
    case VictimKind::kPreemptWithin:
      return facts.job == job_;
  }
  return false;
}

// Who may go from this node, first to fall first.
std::vector<TaskIndex> VictimTrial::VictimsOn(NodeIndex node) const {
  std::vector<TaskIndex> candidates;
  for (const TaskIndex t : session_.state().tasks_on(node)) {
    if (Eligible(t)) candidates.push_back(t);
  }
  if (candidates.empty()) return candidates;
  std::ranges::sort(candidates, [&](TaskIndex a, TaskIndex b) {
    return session_.chains().VictimFallsBefore(a, b, preemptor_);
  });
  return kind_ == VictimKind::kReclaim ? session_.chains().ReclaimVictims(preemptor_, candidates)
                                       : session_.chains().PreemptVictims(preemptor_, candidates);
}

bool VictimTrial::FitsNow(NodeIndex node) {
  if (!request_.FitsIn(session_.FutureIdleFor(preemptor_, node)) || !QueueAdmits()) return false;
  if (cluster_) checks_.Refresh();
  return checks_.Check(node).ok();
}

std::optional<VictimPlan> VictimTrial::On(NodeIndex node) {
  const Unfit before = checks_.Check(node);
  if (!before.ok() && !before.resolvable) return std::nullopt;
  const std::vector<TaskIndex> victims = VictimsOn(node);
  ResourceVector room = session_.FutureIdleFor(preemptor_, node);
  for (const TaskIndex t : victims) room += snapshot_.task(t).request;
  if (victims.empty() || !request_.FitsIn(room)) return std::nullopt;
  const Statement::Checkpoint start = statement_.checkpoint();
  std::vector<TaskIndex> chosen;
  bool fits = false;
  for (const TaskIndex t : victims) {
    statement_.Evict(t, job_, "");
    chosen.push_back(t);
    fits = FitsNow(node);
    if (fits) break;
  }
  if (fits) GiveBack(node, chosen);
  statement_.RollbackTo(start);
  if (cluster_) checks_.Refresh();
  if (!fits) return std::nullopt;
  VictimPlan plan{node, std::move(chosen), INT32_MIN};
  for (const TaskIndex t : plan.victims)
    plan.top_priority = std::max(plan.top_priority, PriorityOf(t));
  return plan;
}

// Takes back, most valuable first, what is not needed.
void VictimTrial::GiveBack(NodeIndex node, std::vector<TaskIndex>& chosen) {
  for (std::size_t i = chosen.size() - 1; i-- > 0;) {
    statement_.Unevict(chosen[i]);
    if (FitsNow(node)) {
      chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      statement_.Evict(chosen[i], job_, "");
    }
  }
}

std::int32_t VictimTrial::PriorityOf(TaskIndex t) const {
  return kind_ == VictimKind::kPreemptWithin ? snapshot_.task(t).priority
                                             : snapshot_.job(snapshot_.task(t).job).priority;
}

bool VictimTrial::Better(const VictimPlan& a, const VictimPlan& b) const {
  if (kind_ != VictimKind::kReclaim && a.top_priority != b.top_priority)
    return a.top_priority < b.top_priority;
  if (a.victims.size() != b.victims.size()) return a.victims.size() < b.victims.size();
  if (kind_ == VictimKind::kReclaim) return a.node < b.node;
  return session_.chains().VictimFallsBefore(a.victims.back(), b.victims.back(), preemptor_);
}

}  // namespace batholith
