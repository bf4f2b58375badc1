#include "cel/syntax/macros.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace batholith::cel {
namespace {

using TreeKind = Expression::Kind;

// What a comprehension consists of, besides its variables.
struct Parts {
  ExpressionPtr range;
  ExpressionPtr start;
  ExpressionPtr condition;
  ExpressionPtr step;
  ExpressionPtr result;
};

Expansion Refused(std::string error) { return {nullptr, std::move(error)}; }

ExpressionPtr Comprehension(TreeMaker& make, Parts parts) {
  auto out = make.New(TreeKind::kComprehension);
  out->gathered = kGathered;
  for (ExpressionPtr* part :
       {&parts.range, &parts.start, &parts.condition, &parts.step, &parts.result})
    out->children.push_back(std::move(*part));
  return out;
}

ExpressionPtr Gathered(TreeMaker& make) { return make.Ident(kGathered); }

// `value` under a name, for `result`: a loop that is never run.
ExpressionPtr Bound(TreeMaker& make, std::string name, ExpressionPtr value, ExpressionPtr result) {
  auto out = Comprehension(make, {make.List(), std::move(value), make.Literal(Value::Bool(false)),
                                  make.Ident(name), std::move(result)});
  out->variable = kUnused;
  out->gathered = std::move(name);
  return out;
}

// The names before the last arguments; an error text if they are none.
std::string TakeVariables(WrittenCall& call, std::size_t count, std::array<std::string, 2>& out) {
  for (std::size_t v = 0; v < count; ++v) {
    const Expression& argument = *call.arguments[v];
    if (argument.kind != TreeKind::kIdent) return "the variable of a macro must be a simple name";
    if (argument.name == kGathered || argument.name == "__result__")
      return "the variable of a macro hides what is gathered";
    out[v] = argument.name;
  }
  if (count == 2 && out[0] == out[1]) return "both variables of a macro have one name";
  return "";
}

ExpressionPtr One(TreeMaker& make) { return make.Literal(Value::Int(1)); }

Parts AllParts(TreeMaker& make, ExpressionPtr predicate) {
  return {nullptr, make.Literal(Value::Bool(true)),
          make.Call(kNotStrictlyFalseOperator, Gathered(make)),
          make.Call(kAndOperator, Gathered(make), std::move(predicate)), Gathered(make)};
}

Parts ExistsParts(TreeMaker& make, ExpressionPtr predicate) {
  return {nullptr, make.Literal(Value::Bool(false)),
          make.Call(kNotStrictlyFalseOperator, make.Call(kNotOperator, Gathered(make))),
          make.Call(kOrOperator, Gathered(make), std::move(predicate)), Gathered(make)};
}

Parts ExistsOneParts(TreeMaker& make, ExpressionPtr predicate) {
  auto more = make.Call("_+_", Gathered(make), One(make));
  return {nullptr, make.Literal(Value::Int(0)), make.Literal(Value::Bool(true)),
          make.Call(kConditionalOperator, std::move(predicate), std::move(more), Gathered(make)),
          make.Call("_==_", Gathered(make), One(make))};
}

// Gathers with `step`, for elements that pass the filter if there is one.
Parts GatherParts(TreeMaker& make, ExpressionPtr start, ExpressionPtr filter, ExpressionPtr step) {
  if (filter)
    step = make.Call(kConditionalOperator, std::move(filter), std::move(step), Gathered(make));
  return {nullptr, std::move(start), make.Literal(Value::Bool(true)), std::move(step),
          Gathered(make)};
}

Parts ListParts(TreeMaker& make, ExpressionPtr filter, ExpressionPtr item) {
  auto step = make.Call("_+_", Gathered(make), make.List(std::move(item)));
  return GatherParts(make, make.List(), std::move(filter), std::move(step));
}

enum class Shape : std::uint8_t {
  kAll,
  kExists,
  kExistsOne,
  kMap,
  kFilter,
  kTransformMap,
  kTransformEntry,
};

struct Loop {
  std::string_view name;
  std::size_t arguments;
  std::size_t variables;
  Shape shape;
};
constexpr std::array<Loop, 16> kLoops{{
    {"all", 2, 1, Shape::kAll},
    {"exists", 2, 1, Shape::kExists},
    {"exists_one", 2, 1, Shape::kExistsOne},
    {"map", 2, 1, Shape::kMap},
    {"map", 3, 1, Shape::kMap},
    {"filter", 2, 1, Shape::kFilter},
    {"all", 3, 2, Shape::kAll},
    {"exists", 3, 2, Shape::kExists},
    {"exists_one", 3, 2, Shape::kExistsOne},
    {"existsOne", 3, 2, Shape::kExistsOne},
    {"transformList", 3, 2, Shape::kMap},
    {"transformList", 4, 2, Shape::kMap},
    {"transformMap", 3, 2, Shape::kTransformMap},
    {"transformMap", 4, 2, Shape::kTransformMap},
    {"transformMapEntry", 3, 2, Shape::kTransformEntry},
    {"transformMapEntry", 4, 2, Shape::kTransformEntry},
}};

Parts LoopParts(const Loop& loop, WrittenCall& call, const std::string& variable, TreeMaker& make) {
  ExpressionPtr last = std::move(call.arguments.back());
  ExpressionPtr filter;
  if (loop.arguments == loop.variables + 2) filter = std::move(call.arguments[loop.variables]);
  switch (loop.shape) {
    case Shape::kAll:
      return AllParts(make, std::move(last));
    case Shape::kExists:
      return ExistsParts(make, std::move(last));
    case Shape::kExistsOne:
      return ExistsOneParts(make, std::move(last));
    case Shape::kMap:
      return ListParts(make, std::move(filter), std::move(last));
    case Shape::kFilter:
      return ListParts(make, std::move(last), make.Ident(variable));
    case Shape::kTransformMap:
    case Shape::kTransformEntry:
      break;
  }
  auto step =
      loop.shape == Shape::kTransformMap
          ? make.Call("cel.@mapInsert", Gathered(make), make.Ident(variable), std::move(last))
          : make.Call("cel.@mapInsert", Gathered(make), std::move(last));
  return GatherParts(make, make.New(TreeKind::kMap), std::move(filter), std::move(step));
}

Expansion ExpandLoop(const Loop& loop, WrittenCall& call, TreeMaker& make) {
  std::array<std::string, 2> variables;
  std::string error = TakeVariables(call, loop.variables, variables);
  if (!error.empty()) return Refused(std::move(error));
  Parts parts = LoopParts(loop, call, variables[0], make);
  parts.range = std::move(call.target);
  auto out = Comprehension(make, std::move(parts));
  out->variable = std::move(variables[0]);
  out->second_variable = std::move(variables[1]);
  return {std::move(out), ""};
}

Expansion ExpandHas(WrittenCall& call) {
  if (call.arguments[0]->kind != TreeKind::kSelect)
    return Refused("has() takes a field, as in has(a.b)");
  call.arguments[0]->kind = TreeKind::kPresence;
  return {std::move(call.arguments[0]), ""};
}

Expansion ExpandOptional(WrittenCall& call, TreeMaker& make) {
  if (call.arguments[0]->kind != TreeKind::kIdent)
    return Refused(call.name + "() takes a simple name for its variable");
  auto again = make.Copy(*call.target);
  if (!again) return Refused("it has become too large");
  auto value = make.Member("value", std::move(again));
  auto bound = Bound(make, call.arguments[0]->name, std::move(value), std::move(call.arguments[1]));
  if (call.name == "optMap") bound = make.Call("optional.of", std::move(bound));
  return {make.Call(kConditionalOperator, make.Member("hasValue", std::move(call.target)),
                    std::move(bound), make.Call("optional.none")),
          ""};
}

Expansion ExpandSortBy(WrittenCall& call, TreeMaker& make) {
  const TreeKind kind = call.target->kind;
  if (kind == TreeKind::kLiteral || kind == TreeKind::kMap || kind == TreeKind::kStruct)
    return Refused("sortBy() takes a list");
  const std::string input = "@__sortBy_input__";
  std::array<std::string, 2> variables;
  std::string error = TakeVariables(call, 1, variables);
  if (!error.empty()) return Refused(std::move(error));
  Parts parts = ListParts(make, nullptr, std::move(call.arguments[1]));
  parts.range = make.Ident(input);
  auto keys = Comprehension(make, std::move(parts));
  keys->variable = std::move(variables[0]);
  auto sorted = make.Member("@sortByAssociatedKeys", make.Ident(input), std::move(keys));
  return {Bound(make, input, std::move(call.target), std::move(sorted)), ""};
}

Expansion ExpandBind(WrittenCall& call, TreeMaker& make) {
  if (call.arguments[0]->kind != TreeKind::kIdent)
    return Refused("cel.bind() takes a simple name for its variable");
  return {Bound(make, call.arguments[0]->name, std::move(call.arguments[1]),
                std::move(call.arguments[2])),
          ""};
}

}  // namespace

Expansion ExpandMacro(WrittenCall& call, TreeMaker& make) {
  const std::size_t count = call.arguments.size();
  if (!call.target) {
    if (call.name == "has" && count == 1) return ExpandHas(call);
    return {};
  }
  for (const Loop& loop : kLoops) {
    if (call.name == loop.name && count == loop.arguments) return ExpandLoop(loop, call, make);
  }
  if ((call.name == "optMap" || call.name == "optFlatMap") && count == 2)
    return ExpandOptional(call, make);
  if (call.name == "sortBy" && count == 2) return ExpandSortBy(call, make);
  const bool of_cel = call.target->kind == TreeKind::kIdent && call.target->name == "cel";
  if (call.name == "bind" && count == 3 && of_cel) return ExpandBind(call, make);
  return {};
}

}  // namespace batholith::cel
