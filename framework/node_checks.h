#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "api/snapshot.h"
#include "framework/chain.h"
#include "framework/extension_points.h"
#include "framework/task_classes.h"

namespace batholith {

class Chains;

// That no node has any of the resource: nobody's leaving helps.
inline Unfit InsufficientUncounted(std::size_t resource) {
  return {Reason::kInsufficientResource, false, static_cast<std::uint32_t>(resource)};
}

// What all plugins find of nodes, for the tasks of one class: a node must pass every check. After
// tasks have moved, Refresh first. It refers to the plugins.
class NodeChecks {
 public:
  NodeChecks(const Snapshot& snapshot, const Chain<Predicate>& predicates, TaskIndex task);

  void Refresh();
  // The first refusal of a plugin, then whether any node serves what the task asks for. `source`,
  // if there is one, is set to the plugin that refuses. Several threads may ask at once.
  Unfit Check(NodeIndex node, const Predicate** source = nullptr) const;
  // The same of a place that is reserved: as if the pods that are leaving had left.
  Unfit CheckReserved(NodeIndex node, const Predicate** source = nullptr) const;
  // False: Check and CheckReserved say the same of every node.
  bool LeavingMatter() const;
  // False: who looks at other nodes does not say apart what he finds without them.
  bool HasTwoParts() const { return two_parts_; }
  // Check in two parts, see NodeCheck. REQUIRES: HasTwoParts(), !LeavingMatter().
  Unfit CheckAlone(NodeIndex node) const { return Ask(&NodeCheck::CheckAlone, node, nullptr); }
  bool FixedBeyondRoom() const;
  void PassAround(std::span<const NodeIndex> nodes, std::span<std::uint8_t> passes) const;
  // As Check, its hard topology spread aside; and that spread with its counts of now.
  Unfit CheckUnspread(NodeIndex node) const;
  std::vector<HardSpread> Spread() const;

 private:
  struct Part {
    const Predicate* plugin = nullptr;
    std::unique_ptr<NodeCheck> check;
  };
  using Question = Unfit (NodeCheck::*)(NodeIndex) const;
  Unfit ClosedBy(NodeIndex node) const;
  Unfit Ask(Question question, NodeIndex node, const Predicate** source) const;

  const Snapshot& snapshot_;
  std::vector<Part> parts_;
  bool two_parts_ = true;
  Unfit served_;  // the same for every node
};

// The checks of the classes that were asked about, kept for the whole session.
class ClassChecks {
 public:
  ClassChecks(const Chains& chains, const TaskClasses& classes)
      : chains_(chains), classes_(classes), by_class_(classes.size()) {}

  // Those of the task's class, as the session stands now. They stay where they are.
  NodeChecks& Of(TaskIndex task);

 private:
  const Chains& chains_;
  const TaskClasses& classes_;
  std::vector<std::unique_ptr<NodeChecks>> by_class_;
};

}  // namespace batholith
