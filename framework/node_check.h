#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "api/hard_spread.h"
#include "api/ids.h"
#include "api/reason.h"

namespace batholith {

// What one plugin finds of nodes, for the tasks of one class. Predicate::Prepare makes it, whoever
// asks owns it, and it may keep what it has found out; it refers to the plugin. The easy mistake:
// to check nodes after tasks have moved without Refresh.
class NodeCheck {
 public:
  virtual ~NodeCheck() = default;
  // Takes note of what moved since it was made or refreshed.
  virtual void Refresh() {}
  // Whether a task may start there now, beside everybody who stands there, the leaving included.
  // Several threads may ask at once.
  virtual Unfit Check(NodeIndex node) const = 0;
  // Whether the place may be reserved for a task: judged as if the pods that are leaving had left.
  virtual Unfit CheckReserved(NodeIndex node) const { return Check(node); }
  // False: nobody is leaving whom it looks at, so that both answers are the same on every node.
  virtual bool LeavingMatter() const { return false; }

  // Where nobody is leaving who matters, Check in two parts, of which the first is worth keeping.
  // What it finds by looking at nothing but the node.
  virtual Unfit CheckAlone(NodeIndex node) const { return Check(node); }
  // True: on a node whose room the request fits into, CheckAlone says the same as long as the
  // session.
  virtual bool FixedBeyondRoom() const { return false; }
  // False: CheckAlone is all of Check.
  virtual bool LooksAround() const { return false; }
  // What it finds by looking at other nodes: passes[i] becomes 0 where it refuses nodes[i].
  virtual void PassAround(std::span<const NodeIndex> /*nodes*/,
                          std::span<std::uint8_t> /*passes*/) const {}

  // What is refused here as kTopologySpread, with its counts of now. It must be asked last, so that
  // whoever keeps the counts himself can do without.
  virtual void AddHardSpread(std::vector<HardSpread>& /*out*/) const {}
};

// A check that keeps nothing: `ask(node)` gives the verdict.
template <typename Ask>
std::unique_ptr<NodeCheck> MakeNodeCheck(Ask ask) {
  class Asking final : public NodeCheck {
   public:
    explicit Asking(Ask ask) : ask_(std::move(ask)) {}
    Unfit Check(NodeIndex node) const override { return ask_(node); }

   private:
    Ask ask_;
  };
  return std::make_unique<Asking>(std::move(ask));
}

}  // namespace batholith
