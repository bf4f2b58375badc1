#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "api/snapshot.h"
#include "framework/extension_points.h"
#include "framework/session_state.h"
#include "volumes/volume_state.h"

namespace batholith {

// How nodes are scored by the volumes that a task would get there.
struct VolumeScoring {
  VolumeShape shape;
  std::int64_t weight = 1;

  bool any() const { return weight != 0 && !shape.points.empty(); }
};

// The volumes of a session's tasks, kept up to date by the owner's AllocationObserver calls. Built
// for snapshots with volumes_matter. One thread changes it, several may ask between.
class VolumeIndex {
 public:
  VolumeIndex(const Snapshot& snapshot, const SessionState& state, VolumeRules rules);

  // Whether the task has volumes that nodes are asked about.
  bool Concerns(TaskIndex task) const { return ClassOf(task) != kNoId; }
  // What a node has for them changes by what happens on other nodes.
  bool LooksAround(TaskIndex task) const {
    return Concerns(task) && state_.LooksAround(ClassOf(task));
  }
  // As LooksAround says.
  Dependence Reach(TaskIndex task) const {
    return LooksAround(task) ? Dependence::kCluster : Dependence::kNode;
  }
  // What tells its volumes from others; nothing where it has none.
  void Sign(TaskIndex task, std::string& out) const;
  // Adds the weighted score of nodes[i] to scores[i] (volumes/volume_score.h). Several threads may
  // ask at once, about different nodes.
  void Score(TaskIndex task, const VolumeScoring& scoring, std::span<const NodeIndex> nodes,
             std::span<double> scores) const;
  // The text of a kClaimsNotReady.
  const std::string& TextOf(std::uint32_t detail) const { return state_.NeedsOfClass(detail).text; }

  void Place(TaskIndex task, NodeIndex node);
  void Remove(TaskIndex task, NodeIndex node);
  void Leave(TaskIndex task, NodeIndex node);
  void Stay(TaskIndex task, NodeIndex node);
  void AddChoices(TaskIndex task, std::vector<VolumeChoice>& out) const;

  VolumeState::ClassId ClassOf(TaskIndex task) const {
    return state_.ClassOf(static_cast<std::uint32_t>(task.value()));
  }
  const VolumeState& state() const { return state_; }

 private:
  VolumeState state_;
};

// What volumes of one class of tasks find of nodes; as NodeCheck. Without an index, or for tasks
// without volumes, every node will do.
class VolumeCheck {
 public:
  VolumeCheck(const VolumeIndex* index, TaskIndex task);

  bool asks() const { return index_ != nullptr; }
  bool looks_around() const { return asks() && index_->state().LooksAround(class_); }
  bool is_fixed() const { return !asks() || index_->state().IsFixed(class_); }
  bool minds_pods() const { return asks() && index_->state().MindsPods(class_); }

  Unfit Check(NodeIndex node, bool with_leaving) const;
  Unfit CheckAlone(NodeIndex node, bool with_leaving) const;
  void PassAround(std::span<const NodeIndex> nodes, std::span<std::uint8_t> passes) const;

 private:
  using Question = Reason (VolumeState::*)(VolumeState::ClassId, std::uint32_t, bool) const;
  Unfit Ask(Question question, NodeIndex node, bool with_leaving) const;

  const VolumeIndex* index_ = nullptr;
  VolumeState::ClassId class_ = kNoId;
  bool refused_ = false;  // before any node is looked at
};

}  // namespace batholith
