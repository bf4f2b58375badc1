#pragma once

#include <vector>

#include "api/slack_report.h"
#include "api/snapshot.h"
#include "framework/action_needs.h"

namespace batholith {

// Room that placeholders of the session before hold, kept from whoever is no consumer of slack. Off
// unless the conf names consumers; then everybody may use everything. Immutable.
class SlackGuard {
 public:
  // `before`: none: nothing is held. Cost when on: O(tasks + nodes + placeholders).
  SlackGuard(const Snapshot& snapshot, const SlackConsumers& consumers, const SlackReport* before);

  bool on() const { return !held_.empty(); }
  // By its queue, or its own priority or its group's.
  bool MayUse(TaskIndex task) const { return task_may_.empty() || task_may_[task.value()]; }
  // By its queue or priority, or because all its tasks may.
  bool MayUse(JobIndex job) const { return job_may_.empty() || job_may_[job.value()]; }
  // What placeholders hold of a node, a slot each. REQUIRES: on().
  const ResourceVector& Held(NodeIndex node) const { return held_[node.value()]; }
  // What of `room` on the node is there for the task; may be negative.
  ResourceVector Left(TaskIndex task, NodeIndex node, const ResourceVector& room) const {
    return MayUse(task) ? room : room - Held(node);
  }
  // Σ Held of usable nodes.
  const ResourceVector& held_total() const { return held_total_; }
  // What queues share: the snapshot's total, without what is held, but with as much of that as
  // consumers wait for.
  const ResourceVector& shared() const { return shared_; }

 private:
  void AddHeld(const Snapshot& snapshot, const SlackReport& before);
  void FindConsumers(const Snapshot& snapshot, const SlackConsumers& consumers);
  ResourceVector WaitedFor(const Snapshot& snapshot) const;

  std::vector<ResourceVector> held_;  // by node; empty: off
  std::vector<bool> task_may_;
  std::vector<bool> job_may_;
  ResourceVector held_total_;
  ResourceVector shared_;
};

}  // namespace batholith
