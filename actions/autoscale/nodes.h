#pragma once

#include <vector>

#include "actions/autoscale/demand.h"
#include "actions/autoscale/groups.h"
#include "actions/autoscale/model/input.h"
#include "framework/disruption_budgets.h"
#include "framework/session.h"

namespace batholith {

// The nodes of a session as autoscaling sees them, and what it may ask about them. The callbacks of
// the input refer to it. Lives for one action. Cost: O(tasks + nodes).
class SessionNodes {
 public:
  SessionNodes(Session& session, const SessionGroups& groups,
               const std::vector<ShapeOwner>& owners);
  // Nodes, placeholders on them, and the callbacks.
  void Fill(AutoscaleInput& input);

 private:
  void AddTasks(std::vector<AutoscaleNode>& nodes) const;
  void AddPlaceholders(std::vector<AutoscaleNode>& nodes) const;
  bool ShapeFits(std::size_t shape, NodeIndex node);
  bool PodFits(TaskIndex pod, NodeIndex node);
  const NodeChecks& ChecksFor(TaskIndex task);
  std::vector<NodePod> PodsOf(NodeIndex node) const;
  PodDrainFacts DrainFacts(const TaskFacts& task) const;

  Session& session_;
  const Snapshot& snapshot_;
  const SessionGroups& groups_;
  const std::vector<ShapeOwner>& owners_;
  DisruptionBudgets budgets_;
  TaskIndex checked_;  // for whom the last question was
  const NodeChecks* checks_ = nullptr;
};

}  // namespace batholith
