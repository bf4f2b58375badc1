#include "framework/session_state.h"

namespace batholith {

SessionState::SessionState(const Snapshot& snapshot)
    : snapshot_(&snapshot), standing_(snapshot.standing ? *snapshot.standing : Standing(snapshot)) {
  phases_.reserve(snapshot.jobs.size());
  for (const JobFacts& job : snapshot.jobs) {
    const JobPhase phase = job.record->phase;
    phases_.push_back(phase == JobPhase::kNone ? JobPhase::kPending : phase);
  }
}

void SessionState::Move(TaskIndex task, TaskStatus status, NodeIndex node) {
  const Standing::Touched touched = standing_.Move(*snapshot_, task, status, node);
  if (!touched.left.is_none()) touched_.push_back(touched.left);
  if (!touched.came.is_none()) touched_.push_back(touched.came);
  moved_.push_back(task);
}

}  // namespace batholith
