#include "actions/common/victim_judge.h"

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
      cluster_(session.chains().DependenceOf(preemptor) == Dependence::kCluster) {}

std::vector<TaskIndex> VictimJudge::Allowed(std::span<const TaskIndex> candidates) const {
  if (candidates.empty()) return {};
  return kind_ == VictimKind::kReclaim ? session_.chains().ReclaimVictims(preemptor_, candidates)
                                       : session_.chains().PreemptVictims(preemptor_, candidates);
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
  for (const TaskIndex t : tasks) statement_.Evict(t, job_, "");
  const bool fits = FitsNow(node);
  Undo(start);
  return fits;
}

}  // namespace batholith
