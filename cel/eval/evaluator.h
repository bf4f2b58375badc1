#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cel/eval/plan.h"
#include "cel/program.h"

namespace batholith::cel {

// One evaluation of a plan.
class Evaluator {
 public:
  Evaluator(const Plan& plan, std::uint64_t cost_limit)
      : plan_(plan), cost_limit_(cost_limit), work_(kMostWork), slots_(plan.slots) {}

  // REQUIRES: no more variables than the plan has slots.
  Outcome Run(std::span<const Value> variables);
  // A step that depends on no variable.
  Value Evaluate(std::uint32_t node) { return Visit(node); }

 private:
  // Elementary steps that costs do not tell of.
  static constexpr std::uint64_t kMostWork = 2'000'000;

  struct Slot {
    Value value;
    std::int64_t start = -1;  // the step that gives the value once somebody asks
  };

  Value Visit(std::uint32_t node);
  const Node& At(std::uint32_t node) const { return plan_.nodes[node]; }
  const Value& SlotValue(std::int32_t slot);
  Value Logic(const Node& node, bool decides);
  Value Conditional(const Node& node);
  Value Field(const Node& node);
  Value FieldIfPresent(const Value& container, const Value& key);
  Value ListItems(const Node& node);
  Value MapEntries(const Node& node);
  Value Membership(const Node& node);
  Value Call(const Node& node);
  Value Dispatch(const Node& node, Arguments arguments);
  void CountCall(const Node& node, Arguments arguments, const Value& result);
  Value OptionalOr(const Node& node);
  Value Append(const Node& node);
  Value Comprehension(const Node& node);
  // False: the loop is over.
  bool Iterate(const Node& node, Value first, Value second);
  void Count(std::uint64_t cost);
  bool aborted() const { return aborted_ || work_.exhausted(); }

  const Plan& plan_;
  std::uint64_t cost_limit_;
  std::uint64_t cost_ = 0;
  bool aborted_ = false;
  Work work_;
  std::vector<Slot> slots_;
};

}  // namespace batholith::cel
