#include "cel/eval/planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "api/check.h"
#include "cel/eval/evaluator.h"
#include "cel/functions/library.h"
#include "cel/functions/sequences.h"
#include "cel/functions/text_search.h"

namespace batholith::cel {
namespace {

using TreeKind = Expression::Kind;
using Op = Node::Op;

bool IsConversion(std::string_view function) {
  static constexpr std::array<std::string_view, 10> kNames{
      "bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint"};
  return std::find(kNames.begin(), kNames.end(), function) != kNames.end();
}

class Planner {
 public:
  explicit Planner(std::size_t slots) { plan_.slots = slots; }

  Result<Plan> Run(const Expression& tree) {
    plan_.root = Visit(tree);
    plan_.type = tree.type;
    if (!error_.empty()) return Invalid(std::move(error_));
    return std::move(plan_);
  }

 private:
  Node& At(std::uint32_t node) { return plan_.nodes[node]; }
  bool IsConstant(std::uint32_t node) { return At(node).op == Op::kConstant; }

  std::uint32_t Add(Node node) {
    plan_.nodes.push_back(std::move(node));
    return static_cast<std::uint32_t>(plan_.nodes.size() - 1);
  }
  std::uint32_t Constant(Value value) {
    Node node;
    node.value = std::move(value);
    return Add(std::move(node));
  }

  std::uint32_t Visit(const Expression& tree) {
    Node node;
    switch (tree.kind) {
      case TreeKind::kLiteral:
        return Constant(tree.literal);
      case TreeKind::kIdent:
        node.op = Op::kSlot;
        node.slot = tree.slot;
        node.cost = 1;
        return Add(std::move(node));
      case TreeKind::kSelect:
      case TreeKind::kPresence:
        return Select(tree);
      case TreeKind::kCall:
        return Call(tree);
      case TreeKind::kList:
      case TreeKind::kMap:
        return Collection(tree);
      case TreeKind::kComprehension:
        return Comprehension(tree);
      case TreeKind::kStruct:
        break;
    }
    return Constant(Value());
  }

  std::vector<std::uint32_t> Children(const Expression& tree) {
    std::vector<std::uint32_t> out;
    for (const ExpressionPtr& child : tree.children) out.push_back(Visit(*child));
    return out;
  }

  // What cel-go calls an attribute: a name, and fields of one.
  bool IsAttribute(std::uint32_t node) {
    switch (At(node).op) {
      case Op::kSlot:
      case Op::kField:
      case Op::kOptionalField:
      case Op::kPresence:
      case Op::kConditional:
        return true;
      default:
        return false;
    }
  }
  // Where an attribute is taken over into another step, its beginning costs nothing.
  void TakeOver(std::uint32_t node) {
    while (IsAttribute(node)) {
      At(node).cost = 0;
      if (At(node).op == Op::kSlot || At(node).op == Op::kConditional) return;
      node = At(node).children[0];
    }
  }

  std::uint32_t FieldOf(Op op, std::uint32_t operand, std::uint32_t key) {
    Node node;
    node.op = op;
    node.cost = IsAttribute(operand) ? 0 : 1;
    node.children = {operand, key};
    const std::uint32_t out = Add(std::move(node));
    if (op == Op::kPresence) TakeOver(out);
    return out;
  }

  std::uint32_t Select(const Expression& tree) {
    const std::uint32_t operand = Visit(*tree.children[0]);
    const std::uint32_t key = Constant(Value::String(tree.name));
    return FieldOf(tree.kind == TreeKind::kPresence ? Op::kPresence : Op::kField, operand, key);
  }

  std::uint32_t Call(const Expression& tree) {
    const std::vector<std::uint32_t> children = Children(tree);
    if (tree.name == kIndexOperator || tree.name == kOptionalIndexOperator ||
        tree.name == kOptionalSelectOperator) {
      TakeOver(children[1]);
      return FieldOf(tree.name == kIndexOperator ? Op::kField : Op::kOptionalField, children[0],
                     children[1]);
    }
    Node node;
    node.children = children;
    if (tree.name == kConditionalOperator) {
      node.op = Op::kConditional;
      TakeOver(children[1]);
      TakeOver(children[2]);
      return Add(std::move(node));
    }
    if (tree.name == kNotStrictlyFalseOperator) node.op = Op::kNotStrictlyFalse;
    if (tree.name == kAndOperator) node.op = Op::kAnd;
    if (tree.name == kOrOperator) node.op = Op::kOr;
    if (tree.is_member && tree.name == "or") node.op = Op::kOptionalOr;
    if (tree.is_member && tree.name == "orValue") node.op = Op::kOptionalOrValue;
    if (node.op != Op::kConstant) return Add(std::move(node));
    return Function(tree, std::move(node));
  }

  std::uint32_t Function(const Expression& tree, Node node) {
    node.op = Op::kCall;
    CHECK(node.children.size() <= 4 && !tree.chosen.empty());
    for (const std::uint16_t index : tree.chosen) node.overloads.push_back(&DeclarationAt(index));
    if (tree.name == kInOperator && node.overloads.size() == 1 && IsConstant(node.children[1]) &&
        At(node.children[1]).value.is(Value::Kind::kList))
      return In(std::move(node));
    if (IsSearch(tree.name) && IsConstant(node.children[1])) TakePattern(tree, node);
    const bool fold =
        IsConversion(tree.name) && node.children.size() == 1 && IsConstant(node.children[0]);
    const std::uint32_t out = Add(std::move(node));
    return fold ? Folded(tree, out) : out;
  }

  void TakePattern(const Expression& tree, Node& node) {
    const Value& text = At(node.children[1]).value;
    if (!text.is(Value::Kind::kString)) return;
    auto pattern = std::make_shared<const RegularExpression>(text.text());
    if (!pattern->ok()) return Fail(tree, "this is no regular expression");
    node.pattern = std::move(pattern);
  }

  // In a list that is written out: looked up, which costs nothing.
  std::uint32_t In(Node node) {
    const Value list = At(node.children[1]).value;
    if (list.list().size() == 0) return Constant(Value::Bool(false));
    std::vector<std::pair<Value, Value>> entries;
    for (const Value& item : ItemsOf(list.list())) {
      switch (item.kind()) {
        case Value::Kind::kBool:
        case Value::Kind::kInt:
        case Value::Kind::kUint:
        case Value::Kind::kString:
          break;
        case Value::Kind::kDouble:
          // NaN is in no list.
          if (item.as_double() != item.as_double()) continue;
          break;
        default:
          return Add(std::move(node));
      }
      entries.emplace_back(item, Value::Bool(true));
    }
    node.op = Op::kMembership;
    node.children.pop_back();
    node.overloads.clear();
    node.value = MapOf(std::move(entries));
    return Add(std::move(node));
  }

  void Fail(const Expression& tree, std::string_view what) {
    if (error_.empty()) error_ = fmt::format("at {}: {}", tree.position + 1, what);
  }

  std::uint32_t Folded(const Expression& tree, std::uint32_t node) {
    Value value = Evaluator(plan_, UINT64_MAX).Evaluate(node);
    if (value.is_error()) Fail(tree, value.error().message);
    return Constant(std::move(value));
  }

  std::uint32_t Collection(const Expression& tree) {
    Node node;
    node.op = tree.kind == TreeKind::kList ? Op::kList : Op::kMap;
    node.children = Children(tree);
    node.optional = tree.optional;
    const bool constant = std::all_of(node.children.begin(), node.children.end(),
                                      [this](std::uint32_t child) { return IsConstant(child); });
    const std::uint32_t out = Add(std::move(node));
    return constant ? Folded(tree, out) : out;
  }

  // The step `gathered + [item]`, whose list grows in place.
  static bool IsAppend(const Expression& tree, std::int32_t slot) {
    return tree.kind == TreeKind::kCall && tree.name == "_+_" &&
           tree.children[0]->kind == TreeKind::kIdent && tree.children[0]->slot == slot &&
           tree.children[1]->kind == TreeKind::kList && tree.children[1]->children.size() == 1 &&
           (tree.children[1]->optional.empty() || !tree.children[1]->optional[0]);
  }

  std::uint32_t Step(const Expression& tree, std::int32_t slot) {
    if (IsAppend(tree, slot)) {
      Node node;
      node.op = Op::kAppend;
      node.slot = slot;
      node.children = {Visit(*tree.children[1]->children[0])};
      return Add(std::move(node));
    }
    const bool filtered = tree.kind == TreeKind::kCall && tree.name == kConditionalOperator &&
                          IsAppend(*tree.children[1], slot);
    if (!filtered) return Visit(tree);
    Node node;
    node.op = Op::kConditional;
    node.children = {Visit(*tree.children[0]), Step(*tree.children[1], slot),
                     Visit(*tree.children[2])};
    TakeOver(node.children[2]);
    return Add(std::move(node));
  }

  std::uint32_t Comprehension(const Expression& tree) {
    Node node;
    node.op = Op::kComprehension;
    node.slot = tree.slot;
    node.two_variables = !tree.second_variable.empty();
    for (std::size_t c = 0; c < tree.children.size(); ++c) {
      node.children.push_back(c == Expression::kStep ? Step(*tree.children[c], tree.slot)
                                                     : Visit(*tree.children[c]));
    }
    return Add(std::move(node));
  }

  Plan plan_;
  std::string error_;
};

}  // namespace

Result<Plan> MakePlan(const Expression& tree, std::size_t slots) {
  return Planner(slots).Run(tree);
}

}  // namespace batholith::cel
