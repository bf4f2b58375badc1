#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "actions/common/victim_units.h"
#include "framework/session.h"
#include "framework/statement.h"

namespace batholith {

// Who may be asked to leave, and which point judges.
enum class VictimKind { kPreemptJobs, kPreemptWithin, kReclaim };

// Decides about sets of victims for one preemptor. What it tries out is undone. Of a unit that
// falls together one task stands for all of it in these sets, and what is said of that task is said
// of all.
class VictimJudge {
 public:
  const Session& session() const { return session_; }
  TaskIndex preemptor() const { return preemptor_; }
  VictimKind kind() const { return kind_; }
  // What the preemptor may use of the node as it stands.
  ResourceVector RoomOn(NodeIndex node) const { return session_.FutureIdleFor(preemptor_, node); }
  // Whether guards and rankers let all of them go at once. In falling order; nobody is evicted yet.
  bool MayFallTogether(std::span<const TaskIndex> tasks) const {
    return Allowed(tasks).size() == tasks.size();
  }
  // Whether the preemptor has its place on the node without them.
  bool MakesRoom(NodeIndex node, std::span<const TaskIndex> tasks);
  // At most so many tasks of the job may fall.
  std::int32_t MostOf(JobIndex job) const;
  // What the node gets back when the task falls, with whom falls with it.
  const ResourceVector& Given(NodeIndex node, TaskIndex task) const;
  bool has_units() const { return !units_.none(); }
  // Whether others fall with it.
  bool InUnit(TaskIndex task) const { return units_.Find(task) != nullptr; }
  // nullptr: the task falls alone.
  const VictimUnit* UnitOf(TaskIndex task) const {
    if (units_.none()) return nullptr;
    return units_.Of(task, [this](TaskIndex t) { return MayTake(t); });
  }
  // The tasks, and all that fall with them.
  std::vector<TaskIndex> WithUnits(std::span<const TaskIndex> tasks) const;

 protected:
  VictimJudge(Session& session, Statement& statement, TaskIndex preemptor, VictimKind kind);
  ~VictimJudge() = default;

  // Whether queue and quotas have room for the preemptor, what is leaving counted as gone.
  virtual bool HasRoomSoon() const = 0;
  // Whether the task, whoever falls with it, may be a victim as far as guards and rankers need not
  // be asked.
  virtual bool MayTake(TaskIndex task) const = 0;

  // Of these, in falling order, whom guards and rankers let go.
  std::vector<TaskIndex> Allowed(std::span<const TaskIndex> candidates) const;
  // On trial, with whom falls with it.
  void Evict(TaskIndex task);
  void Unevict(TaskIndex task);
  bool FitsNow(NodeIndex node);
  void Undo(Statement::Checkpoint start);

  Session& session_;
  const Snapshot& snapshot_;
  Statement& statement_;
  TaskIndex preemptor_;
  VictimKind kind_;
  JobIndex job_;
  QueueIndex queue_;
  const ResourceVector& request_;
  NodeChecks& checks_;
  bool cluster_;  // what is moved elsewhere changes what they say

 private:
  std::vector<TaskIndex> Ask(std::span<const TaskIndex> tasks) const;

  VictimUnits units_;
};

}  // namespace batholith
