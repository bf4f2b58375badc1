#include "cel/eval/evaluator.h"

#include <array>
#include <string>
#include <utility>

#include "cel/functions/costs.h"
#include "cel/functions/sequences.h"
#include "cel/functions/text_search.h"
#include "cel/functions/values.h"
#include "cel/syntax/expression.h"

namespace batholith::cel {
namespace {

using Kind = Value::Kind;
using Op = Node::Op;

Value TooExpensive() {
  return Value::Fail(Failure::kCostLimit, "operation cancelled: actual cost limit exceeded");
}

}  // namespace

Outcome Evaluator::Run(std::span<const Value> variables) {
  for (std::size_t v = 0; v < variables.size(); ++v) slots_[v].value = variables[v];
  Value out = Visit(plan_.root);
  if (aborted_) {
    out = TooExpensive();
  } else if (work_.exhausted()) {
    out = WorkExhausted();
  }
  return {std::move(out), cost_};
}

void Evaluator::Count(std::uint64_t cost) {
  cost_ += cost;
  if (cost_ > cost_limit_) aborted_ = true;
}

Value Evaluator::Visit(std::uint32_t index) {
  // Whatever comes now, the evaluation has failed.
  if (aborted()) return Value();
  const Node& node = At(index);
  switch (node.op) {
    case Op::kConstant:
      return node.value;
    case Op::kSlot:
      Count(node.cost);
      return SlotValue(node.slot);
    case Op::kAnd:
      return Logic(node, false);
    case Op::kOr:
      return Logic(node, true);
    case Op::kConditional:
      return Conditional(node);
    case Op::kNotStrictlyFalse: {
      const Value argument = Visit(node.children[0]);
      Count(1);
      return Value::Bool(!argument.is_false());
    }
    case Op::kField:
    case Op::kOptionalField:
    case Op::kPresence:
      return Field(node);
    case Op::kList:
      return ListItems(node);
    case Op::kMap:
      return MapEntries(node);
    case Op::kMembership:
      return Membership(node);
    case Op::kCall:
      return Call(node);
    case Op::kOptionalOr:
    case Op::kOptionalOrValue:
      return OptionalOr(node);
    case Op::kAppend:
      return Append(node);
    case Op::kComprehension:
      return Comprehension(node);
  }
  return Value();
}

const Value& Evaluator::SlotValue(std::int32_t index) {
  const auto place = static_cast<std::size_t>(index);
  if (slots_[place].start >= 0) {
    const auto start = static_cast<std::uint32_t>(slots_[place].start);
    slots_[place].start = -1;
    slots_[place].value = Visit(start);
  }
  return slots_[place].value;
}

// && and ||: the deciding value wins over errors on either side of it.
Value Evaluator::Logic(const Node& node, bool decides) {
  Value error;
  for (const std::uint32_t child : node.children) {
    Value term = Visit(child);
    if (term.is(Kind::kBool)) {
      if (term.as_bool() == decides) return term;
      continue;
    }
    if (!error.is_error())
      error = term.is_error() ? std::move(term) : Value::NoSuchOverload("logical operator");
  }
  return error.is_error() ? error : Value::Bool(!decides);
}

Value Evaluator::Conditional(const Node& node) {
  Value condition = Visit(node.children[0]);
  if (condition.is(Kind::kBool)) return Visit(node.children[condition.as_bool() ? 1 : 2]);
  return condition.is_error() ? condition : Value::NoSuchOverload("_?_:_");
}

Value Evaluator::FieldIfPresent(const Value& container, const Value& key) {
  auto found = FindElement(container, key);
  if (!found) return Value::None();
  if (found->is_error()) return std::move(*found);
  Count(1);
  return Value::Some(std::move(*found));
}

Value Evaluator::Field(const Node& node) {
  Count(node.cost);
  Value operand = Visit(node.children[0]);
  if (operand.is_error()) return operand;
  const bool presence = node.op == Op::kPresence;
  const bool is_optional = operand.is(Kind::kOptional);
  if (is_optional && operand.inner() == nullptr) return presence ? Value::Bool(false) : operand;
  const Node& key_node = At(node.children[1]);
  Value computed;
  if (key_node.op != Op::kConstant) computed = Visit(node.children[1]);
  const Value& key = key_node.op == Op::kConstant ? key_node.value : computed;
  if (key.is_error()) return key;
  if (presence) {
    Count(1);
    const auto found = FindElement(is_optional ? *operand.inner() : operand, key);
    return found && found->is_error() ? *found : Value::Bool(found.has_value());
  }
  if (is_optional) return FieldIfPresent(*operand.inner(), key);
  if (node.op == Op::kOptionalField) return FieldIfPresent(operand, key);
  Count(1);
  return Element(operand, key);
}

Value Evaluator::ListItems(const Node& node) {
  std::vector<Value> items;
  items.reserve(node.children.size());
  for (std::size_t c = 0; c < node.children.size(); ++c) {
    Value item = Visit(node.children[c]);
    if (!item.is_error() && c < node.optional.size() && node.optional[c]) {
      if (!item.is(Kind::kOptional)) {
        item = Value::Fail(Failure::kInvalidArgument, "an item that should be optional is not");
      } else if (item.inner() == nullptr) {
        continue;
      } else {
        item = Value(*item.inner());
      }
    }
    if (item.is_error()) {
      Count(costs::kList);
      return item;
    }
    items.push_back(std::move(item));
  }
  Count(costs::kList);
  return Value::ListOf(std::move(items));
}

Value Evaluator::MapEntries(const Node& node) {
  std::vector<std::pair<Value, Value>> entries;
  for (std::size_t c = 0; c + 1 < node.children.size(); c += 2) {
    Value key = Visit(node.children[c]);
    Value value = key.is_error() ? key : Visit(node.children[c + 1]);
    if (!value.is_error() && node.optional[c / 2]) {
      if (!value.is(Kind::kOptional)) {
        value = Value::Fail(Failure::kInvalidArgument, "an entry that should be optional is not");
      } else if (value.inner() == nullptr) {
        std::erase_if(entries,
                      [&](const auto& entry) { return AreEqual(entry.first, key, work_); });
        continue;
      } else {
        value = Value(*value.inner());
      }
    }
    if (value.is_error()) {
      Count(costs::kMap);
      return value;
    }
    entries.emplace_back(std::move(key), std::move(value));
  }
  Count(costs::kMap);
  return MapOf(std::move(entries));
}

Value Evaluator::Membership(const Node& node) {
  Value item = Visit(node.children[0]);
  if (item.is_error()) return item;
  // cel-go looks these up in a table that cannot hold them, and fails.
  if (item.is(Kind::kVersion) || item.is(Kind::kBytes)) return Value::NoSuchOverload("@in");
  return Value::Bool(node.value.map().Contains(item));
}

Value Evaluator::Call(const Node& node) {
  std::array<Value, 4> values;
  const std::size_t count = node.children.size();
  Value error;
  for (std::size_t c = 0; c < count; ++c) {
    values[c] = Visit(node.children[c]);
    if (!values[c].is_error() || error.is_error()) continue;
    error = values[c];
    // What follows is not looked at.
    if (count > 2) return error;
  }
  const Arguments arguments(values.data(), count);
  Value result = error.is_error() || aborted() ? std::move(error) : Dispatch(node, arguments);
  CountCall(node, arguments, result);
  return result;
}

Value Evaluator::Dispatch(const Node& node, Arguments arguments) {
  for (const Declaration* declaration : node.overloads) {
    const Overload& overload = *declaration->overload;
    bool fits = true;
    for (std::size_t a = 0; overload.checked && fits && a < arguments.size(); ++a)
      fits = Accepts(*declaration->arguments[a], arguments[a]);
    if (!fits) continue;
    if (node.pattern) return SearchText(overload.function, arguments, *node.pattern, work_);
    return overload.run(arguments, work_);
  }
  return Value::NoSuchOverload(node.overloads[0]->overload->function);
}

void Evaluator::CountCall(const Node& node, Arguments arguments, const Value& result) {
  const CallCost& cost = node.overloads[0]->overload->cost;
  const bool known = cost.by_name || node.overloads.size() == 1;
  Count(known && cost.count != nullptr ? cost.count(arguments, result) : 1);
}

// The other side is only looked at if it is needed.
Value Evaluator::OptionalOr(const Node& node) {
  Value optional = Visit(node.children[0]);
  if (!optional.is(Kind::kOptional)) return optional;
  if (optional.inner() == nullptr) return Visit(node.children[1]);
  return node.op == Op::kOptionalOr ? optional : *optional.inner();
}

Value Evaluator::Append(const Node& node) {
  Count(1);
  SlotValue(node.slot);
  const bool constant = At(node.children[0]).op == Op::kConstant;
  Value item = Visit(node.children[0]);
  Count(constant ? 1 : 1 + costs::kList);
  Value& gathered = slots_[static_cast<std::size_t>(node.slot)].value;
  if (gathered.is_error()) return gathered;
  if (item.is_error() || aborted()) return item;
  if (!gathered.is(Kind::kList)) return Value::NoSuchOverload("_+_");
  return Appended(std::exchange(gathered, Value()), std::move(item), work_);
}

bool Evaluator::Iterate(const Node& node, Value first, Value second) {
  const auto slot = static_cast<std::size_t>(node.slot);
  slots_[slot + 1].value = std::move(first);
  if (node.two_variables) slots_[slot + 2].value = std::move(second);
  const Value condition = Visit(node.children[Expression::kCondition]);
  if (condition.is_false() || aborted()) return false;
  Value next = Visit(node.children[Expression::kStep]);
  slots_[slot] = {std::move(next), -1};
  return !aborted();
}

Value Evaluator::Comprehension(const Node& node) {
  const Value range = Visit(node.children[Expression::kRange]);
  if (range.is_error()) return range;
  const auto slot = static_cast<std::size_t>(node.slot);
  slots_[slot] = {Value(), node.children[Expression::kStart]};
  const bool two = node.two_variables;
  if (range.is(Kind::kList)) {
    const List& list = range.list();
    for (std::size_t i = 0; i < list.size(); ++i) {
      Value number = two ? Value::Int(static_cast<std::int64_t>(i)) : list.At(i);
      if (!Iterate(node, std::move(number), two ? list.At(i) : Value())) break;
    }
  } else if (range.is(Kind::kMap)) {
    for (Value& key : range.map().Keys()) {
      Value value = two ? *range.map().Find(key) : Value();
      if (!Iterate(node, std::move(key), std::move(value))) break;
    }
  } else {
    return Value::NoSuchOverload("a loop over " + std::string(ValueTypeName(range)));
  }
  Value result = Visit(node.children[Expression::kResult]);
  // Nothing outlives the loop, so that a list that somebody gathers has one owner.
  slots_[slot] = {};
  slots_[slot + 1] = {};
  if (two) slots_[slot + 2] = {};
  return result;
}

}  // namespace batholith::cel
