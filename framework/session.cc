#include "framework/session.h"

namespace batholith {
Session::Session(const Snapshot& snapshot, const Pipeline& pipeline, const CycleOptions& options)
    : snapshot_(snapshot),
      pipeline_(pipeline),
      options_(options),
      workers_(options.threads),
      state_(snapshot),
      slack_guard_(snapshot, pipeline.needs.consumers, options.slack_before),
      chains_(snapshot, state_, pipeline, slack_guard_, workers_),
      classes_(snapshot, chains_, slack_guard_),
      checks_(chains_, classes_),
      attempts_(snapshot.tasks.size()) {
  result_.notices = snapshot.notices;
}

void Session::Apply(TaskIndex task, TaskStatus status, NodeIndex node) {
  const TaskStatus before = state_.status(task);
  const NodeIndex old_node = state_.node(task);
  state_.Move(task, status, node);
  const bool held = HoldsAllocation(before) || before == TaskStatus::kPipelined;
  const bool holds = HoldsAllocation(status) || status == TaskStatus::kPipelined;
  if (held != holds) chains_.OnMoved(task, holds ? node : old_node, holds);
}

}  // namespace batholith
