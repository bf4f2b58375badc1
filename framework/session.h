#pragma once

#include <string>
#include <string_view>

#include "api/effect.h"
#include "api/snapshot.h"
#include "framework/attempts.h"
#include "framework/chains.h"
#include "framework/cycle.h"
#include "framework/extension_points.h"
#include "framework/handover.h"
#include "framework/node_checks.h"
#include "framework/parallel.h"
#include "framework/pipeline.h"
#include "framework/session_effects.h"
#include "framework/session_state.h"
#include "framework/slack_guard.h"
#include "framework/task_classes.h"

namespace batholith {

// One scheduling session: a const snapshot, the mutable columns, what the plugins say, what was
// tried, and the effects that were committed. Complete when constructed; lives for one RunCycle;
// one thread. The easy mistake: moving tasks past a Statement.
class Session {
 public:
  Session(const Snapshot& snapshot, const Pipeline& pipeline, const CycleOptions& options);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Snapshot& snapshot() const { return snapshot_; }
  const Pipeline& pipeline() const { return pipeline_; }
  const CycleOptions& options() const { return options_; }

  // The columns: where tasks stand, and every sum of it. A Statement changes them.
  const SessionState& state() const { return state_; }
  void SetPhase(JobIndex job, JobPhase phase) { state_.SetPhase(job, phase); }
  // What the plugins say together.
  const Chains& chains() const { return chains_; }
  Chains& chains() { return chains_; }
  // What was tried and refused.
  const Attempts& attempts() const { return attempts_; }
  Attempts& attempts() { return attempts_; }

  // Which tasks are alike.
  const TaskClasses& classes() const { return classes_; }
  // What is known of nodes for each class of them.
  ClassChecks& checks() { return checks_; }
  const SlackGuard& slack_guard() const { return slack_guard_; }
  // Of the room that is idle or being released, what is there for the task, see SlackGuard.
  ResourceVector FutureIdleFor(TaskIndex task, NodeIndex node) const {
    return slack_guard_.Left(task, node, state_.future_idle(node));
  }
  // For loops over nodes.
  const Workers& workers() const { return workers_; }

  // Puts what statements have decided into the result.
  void TellEffects() { effects_.Tell(snapshot_, result_); }
  CycleResult& result() { return result_; }
  const CycleResult& result() const { return result_; }
  // What the actions so far have left for those to come.
  const Handover& handover() const { return handover_; }
  Handover& handover() { return handover_; }
  // The action that runs.
  void Enter(const ActionDescriptor& action) { running_ = &action; }
  const ActionDescriptor* running() const { return running_; }  // nullptr: none yet
  std::string action() const { return NameOf(running_); }

 private:
  friend class Statement;
  // Statement's way to the columns and observers.
  void Apply(TaskIndex task, TaskStatus status, NodeIndex node);

  const Snapshot& snapshot_;
  const Pipeline& pipeline_;
  CycleOptions options_;
  Workers workers_;
  SessionState state_;
  SlackGuard slack_guard_;
  Chains chains_;
  TaskClasses classes_;
  ClassChecks checks_;
  Attempts attempts_;
  Handover handover_;
  SessionEffects effects_;
  CycleResult result_;
  const ActionDescriptor* running_ = nullptr;
};

}  // namespace batholith
