#include "actions/common/victim_judge.h"

#include <algorithm>
#include <set>

namespace batholith {

VictimJudge::VictimJudge(Session& session, Statement& statement, TaskIndex preemptor,
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
      cluster_(session.chains().DependenceOf(preemptor) == Dependence::kCluster),
      units_(session, preemptor) {}

std::vector<TaskIndex> VictimJudge::Ask(std::span<const TaskIndex> tasks) const {
  if (tasks.empty()) return {};
  return kind_ == VictimKind::kReclaim ? session_.chains().ReclaimVictims(preemptor_, tasks)
                                       : session_.chains().PreemptVictims(preemptor_, tasks);
}

// A unit of which some may not fall is left out, and the others are asked about again: what guards
// count was perhaps spent on it.
std::vector<TaskIndex> VictimJudge::Allowed(std::span<const TaskIndex> candidates) const {
  if (units_.none()) return Ask(candidates);
  std::vector<TaskIndex> left(candidates.begin(), candidates.end());
  for (;;) {
    const std::vector<TaskIndex> answer = Ask(WithUnits(left));
    const std::set<TaskIndex> allowed(answer.begin(), answer.end());
    const auto falls = [&](TaskIndex t) {
      const VictimUnit* unit = UnitOf(t);
      if (unit == nullptr) return allowed.contains(t);
      return !unit->standing.empty() &&
             std::ranges::all_of(unit->standing, [&](TaskIndex s) { return allowed.contains(s); });
    };
    const std::size_t before = left.size();
    std::erase_if(left, [&](TaskIndex t) { return InUnit(t) && !falls(t); });
    if (left.size() < before) continue;
    std::erase_if(left, [&](TaskIndex t) { return !falls(t); });
    return left;
  }
}

std::vector<TaskIndex> VictimJudge::WithUnits(std::span<const TaskIndex> tasks) const {
  std::vector<TaskIndex> out;
  if (units_.none()) {
    out.assign(tasks.begin(), tasks.end());
    return out;
  }
  std::set<const VictimUnit*> seen;  // looked up only
  for (const TaskIndex t : tasks) {
    const VictimUnit* unit = UnitOf(t);
    if (unit == nullptr) {
      out.push_back(t);
    } else if (seen.insert(unit).second) {
      out.insert(out.end(), unit->standing.begin(), unit->standing.end());
    }
  }
  return out;
}

const ResourceVector& VictimJudge::Given(NodeIndex node, TaskIndex task) const {
  const VictimUnit* unit = UnitOf(task);
  if (unit == nullptr) return snapshot_.task(task).request;
  const auto part = unit->parts.find(node);
  static const ResourceVector kNothing;
  return part == unit->parts.end() ? kNothing : part->second.request;
}

void VictimJudge::Evict(TaskIndex task) {
  if (const VictimUnit* unit = UnitOf(task)) {
    for (const TaskIndex t : unit->standing) statement_.Evict(t, job_, "");
  } else {
    statement_.Evict(task, job_, "");
  }
}

void VictimJudge::Unevict(TaskIndex task) {
  if (const VictimUnit* unit = UnitOf(task)) {
    for (const TaskIndex t : unit->standing) statement_.Unevict(t);
  } else {
    statement_.Unevict(task);
  }
}

std::int32_t VictimJudge::MostOf(JobIndex job) const {
  return kind_ == VictimKind::kReclaim ? session_.chains().MostToReclaim(preemptor_, job)
                                       : session_.chains().MostToPreempt(preemptor_, job);
}

bool VictimJudge::FitsNow(NodeIndex node) {
  if (!request_.FitsIn(RoomOn(node)) || !HasRoomSoon()) return false;
  if (cluster_) checks_.Refresh();
  return checks_.CheckReserved(node).ok();
}

void VictimJudge::Undo(Statement::Checkpoint start) {
  statement_.RollbackTo(start);
  if (cluster_) checks_.Refresh();
}

bool VictimJudge::MakesRoom(NodeIndex node, std::span<const TaskIndex> tasks) {
  const Statement::Checkpoint start = statement_.checkpoint();
  for (const TaskIndex t : tasks) Evict(t);
  const bool fits = FitsNow(node);
  Undo(start);
  return fits;
}

}  // namespace batholith
