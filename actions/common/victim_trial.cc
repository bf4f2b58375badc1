#include "actions/common/victim_trial.h"

#include <algorithm>
#include <iterator>

#include "actions/common/job_queue.h"
#include "actions/common/victim_set.h"

namespace batholith {
namespace {

constexpr std::int64_t kQuestionsOnNode = 1000;
// Where even all who could fall make no room: only by going where the preemptor wants company.
constexpr std::int64_t kQuestionsAgainstHope = 200;
// So often a node is looked at again without the units that a plan would take whole.
constexpr int kSmallerPlans = 8;

}  // namespace

VictimTrial::VictimTrial(Session& session, Statement& statement, TaskIndex preemptor,
                         VictimKind kind, Memory* memory)
    : VictimJudge(session, statement, preemptor, kind),
      memory_(memory == nullptr ? &own_memory_ : memory) {}

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
  const VictimUnit* unit = UnitOf(victim);
  return (unit == nullptr || !unit->standing.empty()) && MayTake(victim);
}

bool VictimTrial::MayTake(TaskIndex victim) const {
  const TaskFacts& facts = snapshot_.task(victim);
  if (facts.job.is_none() || !facts.preemptable || !CanFall(victim)) return false;
  const QueueIndex queue = snapshot_.job(facts.job).queue;
  if (queue.is_none()) return false;
  switch (kind_) {
    case VictimKind::kReclaim:
      return queue != queue_ && snapshot_.queue(queue).reclaimable;
    case VictimKind::kPreemptJobs:
      if (queue != queue_ || facts.job == job_) return false;
      // Its minimum does not protect what falls whole; as kube-scheduler has it, its priority does.
      return !InUnit(victim) || snapshot_.job(facts.job).priority < snapshot_.job(job_).priority;
    case VictimKind::kPreemptWithin:
      return facts.job == job_ && !InUnit(victim);
  }
  return false;
}

std::vector<QueueIndex> VictimTrial::QueuesThatKeep() const {
  std::vector<QueueIndex> out;
  for (std::size_t q = 0; q < snapshot_.queues.size(); ++q) {
    const QueueIndex queue(q);
    if (queue == queue_ || snapshot_.queue(queue).reclaimable) continue;
    const auto could_fall = [&](JobIndex job) {
      return std::ranges::any_of(snapshot_.job(job).tasks, [&](TaskIndex t) {
        return snapshot_.task(t).preemptable && CanFall(t);
      });
    };
    if (std::ranges::any_of(snapshot_.queue(queue).jobs, could_fall)) out.push_back(queue);
  }
  return out;
}

// Whose leaving this node could help, first to fall first. `passes`: the checks let the preemptor
// there, so that it lacks resources only.
std::vector<TaskIndex> VictimTrial::CandidatesOn(NodeIndex node, bool passes) const {
  const ResourceVector room = RoomOn(node);
  std::vector<std::size_t> lacks;  // what the node lacks; also what the queue may lack
  const bool admitted = !passes || QueueAdmits();
  for (std::size_t r = 0; r < snapshot_.schema.size(); ++r) {
    if (request_[r] > 0 && (!admitted || request_[r] > room[r])) lacks.push_back(r);
  }
  const auto helps = [&](const ResourceVector& given) {
    return !passes || std::ranges::any_of(lacks, [&](std::size_t r) { return given[r] > 0; });
  };
  std::vector<TaskIndex> candidates;
  for (const TaskIndex t : EligibleOn(node)) {
    if (helps(Given(node, t))) candidates.push_back(t);
  }
  return candidates;
}

// Of a unit one task on each node.
bool VictimTrial::SpeaksOn(NodeIndex node, TaskIndex task) const {
  const VictimUnit* unit = UnitOf(task);
  if (unit == nullptr) return true;
  const auto part = unit->parts.find(node);
  return part != unit->parts.end() && part->second.representative == task;
}

TaskIndex VictimTrial::FirstOf(TaskIndex task) const {
  const VictimUnit* unit = UnitOf(task);
  return unit == nullptr || unit->first.is_none() ? task : unit->first;
}

// First to fall first. Where the last trial was on the same node, most stand as they did then.
std::span<const TaskIndex> VictimTrial::EligibleOn(NodeIndex node) const {
  const std::span<const TaskIndex> all = session_.state().tasks_on(node);
  const auto eligible = [&](TaskIndex t) { return Eligible(t) && SpeaksOn(node, t); };
  const auto falls_before = [&](TaskIndex a, TaskIndex b) {
    return session_.chains().VictimFallsBefore(FirstOf(a), FirstOf(b), preemptor_);
  };
  std::vector<TaskIndex>& sorted = memory_->sorted;
  if (memory_->node != node) sorted.clear();
  memory_->node = node;
  std::erase_if(sorted,
                [&](TaskIndex t) { return session_.state().node(t) != node || !eligible(t); });
  if (std::ranges::count_if(all, eligible) != std::ssize(sorted)) {
    sorted.clear();
    std::ranges::copy_if(all, std::back_inserter(sorted), eligible);
    std::ranges::sort(sorted, falls_before);
    return sorted;
  }
  for (auto next = sorted.begin(); next != sorted.end(); ++next) {
    if (next == sorted.begin() || !falls_before(*next, *(next - 1))) continue;
    std::rotate(std::upper_bound(sorted.begin(), next, *next, falls_before), next, next + 1);
  }
  return sorted;
}

std::vector<std::string_view> VictimTrial::WhoSpares(std::span<const TaskIndex> tasks) const {
  std::vector<TaskIndex> all = WithUnits(tasks);
  if (all.empty()) all.assign(tasks.begin(), tasks.end());  // of a unit that may not fall at all
  return kind_ == VictimKind::kReclaim ? session_.chains().WhoSparesFromReclaim(preemptor_, all)
                                       : session_.chains().WhoSparesFromPreempt(preemptor_, all);
}

bool VictimTrial::CouldFit(NodeIndex node, std::span<const TaskIndex> candidates) const {
  return FewestOf(node, candidates) <= candidates.size();
}

// How many of them, from the first on, give room enough; more than there are: not even all do.
std::size_t VictimTrial::FewestOf(NodeIndex node, std::span<const TaskIndex> candidates) const {
  const ResourceVector room = RoomOn(node);
  std::size_t fewest = 1;
  for (std::size_t r = 0; r < snapshot_.schema.size(); ++r) {
    if (request_[r] <= 0) continue;
    std::int64_t sum = room[r];
    std::size_t taken = 0;
    for (; sum < request_[r] && taken < candidates.size(); ++taken)
      sum = ResourceVector::AddSaturating(sum, Given(node, candidates[taken])[r]);
    if (sum < request_[r]) return candidates.size() + 1;
    fewest = std::max(fewest, taken);
  }
  return fewest;
}

std::optional<VictimPlan> VictimTrial::On(NodeIndex node) {
  const Unfit before = checks_.CheckReserved(node);
  if (!before.ok() && !before.resolvable) return std::nullopt;
  std::vector<TaskIndex> candidates = CandidatesOn(node, before.ok());
  std::optional<VictimPlan> best = PlanWith(node, candidates);
  if (!has_units()) return best;
  // What falls whole may cost more than others on the node would.
  std::optional<VictimPlan> plan = best;
  for (int i = 0; plan && i < kSmallerPlans; ++i) {
    const std::size_t all = candidates.size();
    const auto taken = [&](TaskIndex t) {
      return InUnit(t) && std::ranges::find(plan->victims, t) != plan->victims.end();
    };
    std::erase_if(candidates, taken);
    if (candidates.size() == all) break;
    plan = PlanWith(node, candidates);
    if (plan && Better(*plan, *best)) best = plan;
  }
  return best;
}

std::optional<VictimPlan> VictimTrial::PlanWith(NodeIndex node,
                                                std::span<const TaskIndex> candidates) {
  if (!CouldFit(node, candidates)) return std::nullopt;
  // Mostly the very first do, and what guards and rankers say of them is the same without the rest.
  const auto few = std::span(candidates).first(FewestOf(node, candidates));
  FirstFallen first = FirstToFall(node, Allowed(few));
  if (first.tasks.empty() && few.size() < candidates.size())
    first = FirstToFall(node, Allowed(candidates));
  std::vector<TaskIndex> victims = std::move(first.tasks);
  if (victims.empty() || (first.given_back && !MayFallTogether(victims)))
    victims = AnotherSet(node, candidates);
  if (victims.empty()) return std::nullopt;
  VictimPlan plan{node, WithUnits(victims), FirstOf(victims.back()), INT32_MIN};
  for (const TaskIndex t : plan.victims)
    plan.top_priority = std::max(plan.top_priority, PriorityOf(t));
  return plan;
}

bool VictimTrial::IsBarred(NodeIndex node) const {
  if (cluster_) return false;
  const Unfit why = checks_.CheckReserved(node);
  return !why.ok() && !why.resolvable;
}

// As many as it takes, one after another, without whom it does not take.
VictimTrial::FirstFallen VictimTrial::FirstToFall(NodeIndex node,
                                                  std::span<const TaskIndex> candidates) {
  std::vector<TaskIndex> chosen;
  if (!CouldFit(node, candidates)) return {};
  const Statement::Checkpoint start = statement_.checkpoint();
  bool fits = false;
  for (const TaskIndex t : candidates) {
    Evict(t);
    chosen.push_back(t);
    fits = FitsNow(node);
    if (fits) break;
  }
  const std::size_t fallen = chosen.size();
  if (fits) GiveBack(node, chosen);
  Undo(start);
  if (!fits) return {};
  const bool given_back = chosen.size() < fallen;
  return {std::move(chosen), given_back};
}

// What guards let go in falling order may be of no use, while other tasks of the same jobs would
// be.
std::vector<TaskIndex> VictimTrial::AnotherSet(NodeIndex node,
                                               std::span<const TaskIndex> candidates) {
  std::vector<TaskIndex> options;
  for (const TaskIndex t : candidates) {
    if (MayFallTogether({&t, 1})) options.push_back(t);
  }
  if (!CouldFit(node, options)) return {};
  std::int64_t questions = kQuestionsOnNode;
  if (!MakesRoom(node, options)) {
    if (!cluster_) return {};
    questions = kQuestionsAgainstHope;
  }
  questions = std::min(questions, memory_->questions);
  const std::int64_t before = questions;
  const auto set = VictimSet(*this, node, options, questions).Find();
  memory_->questions -= before - questions;
  if (!set) return {};
  std::vector<TaskIndex> fewer = FirstToFall(node, *set).tasks;
  return !fewer.empty() && MayFallTogether(fewer) ? fewer : *set;
}

// Takes back, most valuable first, what is not needed.
void VictimTrial::GiveBack(NodeIndex node, std::vector<TaskIndex>& chosen) {
  for (std::size_t i = chosen.size() - 1; i-- > 0;) {
    if (!HasRoomWith(node, chosen[i])) continue;
    Unevict(chosen[i]);
    if (FitsNow(node)) {
      chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      Evict(chosen[i]);
    }
  }
}

// Whether there would still be room for the preemptor if the task stayed.
bool VictimTrial::HasRoomWith(NodeIndex node, TaskIndex task) const {
  const ResourceVector& held = Given(node, task);
  const ResourceVector& room = session_.state().future_idle(node);
  const bool guarded = !session_.slack_guard().MayUse(preemptor_);
  for (std::size_t r = 0; r < snapshot_.schema.size(); ++r) {
    std::int64_t left = ResourceVector::SubSaturating(room[r], held[r]);
    if (guarded) left = ResourceVector::SubSaturating(left, session_.slack_guard().Held(node)[r]);
    if (request_[r] > 0 && request_[r] > left) return false;
  }
  return true;
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
  if (a.last == b.last) return a.node < b.node;
  return session_.chains().VictimFallsBefore(a.last, b.last, preemptor_);
}

}  // namespace batholith
