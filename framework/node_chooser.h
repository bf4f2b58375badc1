#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "framework/class_ranking.h"
#include "framework/node_rows.h"
#include "framework/node_verdict.h"
#include "framework/session.h"

namespace batholith {

struct NodeChoice {
  NodeIndex node;     // none: nowhere
  bool idle = false;  // a place for now; else one to reserve, until others have left
};

// Finds the best node for a task: a place for now before one that is reserved until the pods that
// are leaving have left, then the highest score, then the lowest index. Always equal to the
// exhaustive arg-max. Tasks of one class share a ranking that is refreshed from the session's log
// of touched nodes, so a placement costs a little for each node that was touched since; classes
// whose answers depend on the whole cluster keep what each node says alone. Lives for one action.
class NodeChooser {
 public:
  NodeChooser(Session& session, Fit fit);
  ~NodeChooser();
  NodeChooser(const NodeChooser&) = delete;
  NodeChooser& operator=(const NodeChooser&) = delete;

  NodeChoice Best(TaskIndex task);
  // Why the task's class has no node now. Cost: O(nodes) the first time, then shared by the class
  // until something moves.
  const UnfitHistogram& Explain(TaskIndex task);

 private:
  struct ClassState;

  ClassState& StateOf(TaskIndex task);
  // Takes up what moved; before VerdictOn.
  void Look(ClassState& c, TaskIndex task);
  std::uint32_t PendingOfClass(std::size_t c);
  bool PassesAlone(ClassState& c, NodeIndex node) const;
  bool OnlyRoomChanges(const ClassState& c) const;
  Place VerdictOn(const ClassState& c, NodeIndex node) const;
  NodeChoice Sweep(ClassState& c, TaskIndex task);
  NodeChoice LookAround(ClassState& c, TaskIndex task);
  NodeIndex BestScored() const;
  NodeChoice BestAround(ClassState& c, TaskIndex task, Place place);
  NodeChoice Nominated(ClassState& c, TaskIndex task) const;
  void Trace(ClassState& c, TaskIndex task);
  void CollectTouched(ClassState& c);
  void Judge(ClassState& c);
  void JudgeUsual(ClassState& c, std::size_t begin, std::size_t end);
  void Refresh(ClassState& c, TaskIndex task);
  void RefreshTouched(ClassState& c, TaskIndex task);
  void Rank(ClassState& c, TaskIndex task, const NodeRows& rows,
            std::optional<std::size_t> first_entry);
  void KeepWhoPasses(ClassState& c, std::span<const NodeIndex> nodes,
                     std::optional<std::size_t> first_entry, std::span<Place> places) const;

  Session& session_;
  Fit fit_;
  std::vector<std::unique_ptr<ClassState>> classes_;
  std::vector<std::uint32_t> pending_of_class_;  // empty: not counted yet
  std::size_t ranked_entries_ = 0;
  std::optional<TouchedRows> rows_;     // once a ranking is refreshed by them
  std::vector<std::uint64_t> seen_in_;  // by node: the last refresh that took it up
  std::uint64_t refresh_ = 0;
  std::vector<NodeIndex> nodes_;      // scratch
  std::vector<Place> places_;         // scratch
  std::vector<double> scores_;        // scratch
  std::vector<std::uint8_t> passes_;  // scratch
};

}  // namespace batholith
