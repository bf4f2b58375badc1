#include "cel/check/checker.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cel/check/literals.h"
#include "cel/check/scopes.h"
#include "cel/check/unifier.h"
#include "cel/functions/library.h"

namespace batholith::cel {
namespace {

using TreeKind = Expression::Kind;

const TypeRef& Dyn() { return Simple(Type::Kind::kDyn); }
const TypeRef& BoolType() { return Simple(Type::Kind::kBool); }

std::optional<std::string> QualifiedName(const Expression& tree) {
  if (tree.kind == TreeKind::kIdent) return tree.name;
  if (tree.kind != TreeKind::kSelect) return std::nullopt;
  auto prefix = QualifiedName(*tree.children[0]);
  // No name that anybody declares is longer.
  if (!prefix || prefix->size() > 100) return std::nullopt;
  return *prefix + "." + tree.name;
}

TypeRef LiteralType(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::kBool:
      return BoolType();
    case Value::Kind::kInt:
      return Simple(Type::Kind::kInt);
    case Value::Kind::kUint:
      return Simple(Type::Kind::kUint);
    case Value::Kind::kDouble:
      return Simple(Type::Kind::kDouble);
    case Value::Kind::kString:
      return Simple(Type::Kind::kString);
    case Value::Kind::kBytes:
      return Simple(Type::Kind::kBytes);
    default:
      return Simple(Type::Kind::kNull);
  }
}

class Checker {
 public:
  explicit Checker(const Environment& environment) : environment_(environment) {
    for (const Environment::Named& variable : environment.variables)
      scopes_.Add(variable.name, variable.type);
  }

  Result<Checked> Run(Expression& tree) {
    Visit(tree);
    if (unifier_.exhausted()) Fail(tree, "its types are too large");
    if (error_.empty()) Settle(tree);
    if (error_.empty()) CheckLiterals(tree, error_);
    if (!error_.empty()) return Invalid(std::move(error_));
    return Checked{scopes_.slots()};
  }

 private:
  // The first error is told.
  void Fail(Expression& tree, std::string_view what) {
    tree.type = Simple(Type::Kind::kError);
    if (error_.empty()) error_ = fmt::format("at {}: {}", tree.position + 1, what);
  }

  void Visit(Expression& tree) {
    if (error_.empty()) VisitKind(tree);
    if (!error_.empty()) tree.type = Simple(Type::Kind::kError);
  }

  void VisitKind(Expression& tree) {
    switch (tree.kind) {
      case TreeKind::kLiteral:
        tree.type = LiteralType(tree.literal);
        return;
      case TreeKind::kIdent:
        return Ident(tree);
      case TreeKind::kSelect:
      case TreeKind::kPresence:
        return Select(tree);
      case TreeKind::kCall:
        return Call(tree);
      case TreeKind::kList:
        return ListItems(tree);
      case TreeKind::kMap:
        return MapEntries(tree);
      case TreeKind::kComprehension:
        return Comprehension(tree);
      case TreeKind::kStruct:
        return Fail(tree, "messages are not supported by this build");
    }
  }

  void Ident(Expression& tree) {
    if (const auto variable = scopes_.Find(tree.name)) {
      tree.type = variable->type;
      tree.slot = variable->slot;
      return;
    }
    if (!BecomesType(tree, tree.name)) Fail(tree, fmt::format("nothing is named '{}'", tree.name));
  }

  static bool BecomesType(Expression& tree, const std::string& name) {
    TypeRef named = TypeNamed(name);
    if (!named) return false;
    tree.kind = TreeKind::kLiteral;
    tree.children.clear();
    tree.type = TypeType(named);
    tree.literal = Value::TypeOf(std::move(named));
    return true;
  }

  void Select(Expression& tree) {
    if (tree.kind == TreeKind::kSelect) {
      const auto name = QualifiedName(tree);
      if (name && BecomesType(tree, *name)) return;
    }
    TypeRef field = Field(tree, *tree.children[0], tree.name, false);
    if (tree.kind == TreeKind::kPresence) field = BoolType();
    if (error_.empty()) tree.type = unifier_.Substitute(field, false);
  }

  // The type of a field of an operand.
  TypeRef Field(Expression& tree, Expression& operand, const std::string& name, bool optional) {
    Visit(operand);
    TypeRef type = unifier_.Substitute(operand.type, false);
    const bool was_optional = IsOptional(*type);
    if (was_optional) type = type->parameters[0];
    TypeRef out = Dyn();
    if (type->kind == Type::Kind::kMap) {
      out = type->parameters[1];
    } else if (type->kind == Type::Kind::kObject) {
      out = FieldOfObject(tree, *type, name);
    } else if (type->kind == Type::Kind::kParameter) {
      unifier_.IsAssignable(Dyn(), type);
    } else if (!IsDynamicOrError(*type)) {
      Fail(tree, fmt::format("a value of the type {} has no fields", TypeText(*type)));
    }
    return was_optional || optional ? OptionalType(std::move(out)) : out;
  }

  TypeRef FieldOfObject(Expression& tree, const Type& type, const std::string& name) {
    for (const Environment::Object& object : environment_.objects) {
      if (object.name != type.name) continue;
      for (const Environment::Named& field : object.fields) {
        if (field.name == name) return field.type;
      }
    }
    Fail(tree, fmt::format("{} has no field '{}'", type.name, name));
    return Simple(Type::Kind::kError);
  }

  void Call(Expression& tree) {
    if (tree.name == kOptionalSelectOperator) return OptionalSelect(tree);
    const std::size_t first = tree.is_member ? 1 : 0;
    for (std::size_t a = first; a < tree.children.size(); ++a) Visit(*tree.children[a]);
    if (!error_.empty()) return;
    if (tree.is_member) {
      const auto prefix = QualifiedName(*tree.children[0]);
      const std::string qualified = prefix ? *prefix + "." + tree.name : "";
      if (!OverloadsOf(qualified).empty()) {
        tree.name = qualified;
        tree.is_member = false;
        tree.children.erase(tree.children.begin());
      } else {
        Visit(*tree.children[0]);
      }
    }
    if (error_.empty()) Resolve(tree);
  }

  void OptionalSelect(Expression& tree) {
    const std::string name(tree.children[1]->literal.text());
    TypeRef field = Field(tree, *tree.children[0], name, true);
    if (error_.empty()) tree.type = unifier_.Substitute(field, false);
  }

  void Resolve(Expression& tree) {
    const auto overloads = OverloadsOf(tree.name);
    if (overloads.empty()) {
      const char* what = IsKnownElsewhere(tree.name)
                             ? "function {}() is not supported by this build"
                             : "there is no function {}()";
      return Fail(tree, fmt::format(fmt::runtime(what), tree.name));
    }
    std::vector<TypeRef> types;
    for (const ExpressionPtr& child : tree.children) types.push_back(child->type);
    if (tree.name == kAndOperator || tree.name == kOrOperator) return Logic(tree, overloads[0]);
    TypeRef result;
    for (const std::uint16_t index : overloads) {
      const Declaration& declaration = DeclarationAt(index);
      if (declaration.overload->member == tree.is_member) Try(tree, types, index, result);
    }
    if (!result) return NoOverload(tree, types);
    tree.type = std::move(result);
  }

  void Logic(Expression& tree, std::uint16_t index) {
    for (const ExpressionPtr& term : tree.children) {
      if (!unifier_.IsAssignable(term->type, BoolType()))
        return Fail(*term, fmt::format("expected a bool and found a value of the type {}",
                                       Text(term->type)));
    }
    tree.chosen = {index};
    tree.type = BoolType();
  }

  // Whether this overload may be meant; where several may, their results become dyn if they differ.
  void Try(Expression& tree, const std::vector<TypeRef>& types, std::uint16_t index,
           TypeRef& result) {
    const Declaration& declaration = DeclarationAt(index);
    if (declaration.arguments.size() != types.size()) return;
    std::vector<TypeRef> arguments = declaration.arguments;
    TypeRef gives = declaration.result;
    if (declaration.has_parameters) {
      Unifier::Fresh fresh;
      for (TypeRef& argument : arguments) argument = unifier_.Instantiate(argument, fresh);
      gives = unifier_.Instantiate(gives, fresh);
    }
    if (!unifier_.AreAssignable(types, arguments)) return;
    tree.chosen.push_back(index);
    gives = unifier_.Substitute(gives, false);
    if (!result) {
      result = std::move(gives);
    } else if (!IsDynamic(*result) && !IsSameType(*gives, *result)) {
      result = Dyn();
    }
  }

  std::string Text(const TypeRef& type) { return TypeText(*unifier_.Substitute(type, true)); }

  void NoOverload(Expression& tree, const std::vector<TypeRef>& types) {
    std::string list;
    for (std::size_t t = tree.is_member ? 1 : 0; t < types.size(); ++t)
      list += (list.empty() ? "" : ", ") + Text(types[t]);
    const std::string target = tree.is_member ? Text(types[0]) + "." : "";
    Fail(tree, fmt::format("{}{}({}) takes no such types", target, tree.name, list));
  }

  // The type of an item that is written with a question mark.
  TypeRef Unwrapped(Expression& item, bool optional) {
    if (!optional) return item.type;
    const TypeRef& type = item.type;
    if (IsOptional(*type)) return type->parameters[0];
    if (!IsDynamic(*type))
      Fail(item, fmt::format("expected an optional value and found the type {}", Text(type)));
    return type;
  }

  // Items of several types make a list of dyn, which is refused later if it is not for a format.
  void Join(TypeRef& joined, const TypeRef& type) {
    if (!joined) {
      joined = type;
    } else if (unifier_.IsAssignable(joined, type)) {
      joined = Unifier::MostGeneral(joined, type);
    } else {
      joined = Dyn();
    }
  }

  void ListItems(Expression& tree) {
    TypeRef joined;
    for (std::size_t i = 0; i < tree.children.size(); ++i) {
      Expression& item = *tree.children[i];
      Visit(item);
      if (!error_.empty()) return;
      const bool optional = i < tree.optional.size() && tree.optional[i];
      Join(joined, Unwrapped(item, optional));
    }
    tree.type = ListType(joined ? joined : unifier_.NewParameter());
  }

  void MapEntries(Expression& tree) {
    TypeRef keys;
    TypeRef values;
    for (std::size_t e = 0; e + 1 < tree.children.size(); e += 2) {
      Expression& key = *tree.children[e];
      Expression& value = *tree.children[e + 1];
      Visit(key);
      Visit(value);
      if (!error_.empty()) return;
      Join(keys, key.type);
      Join(values, Unwrapped(value, tree.optional[e / 2]));
    }
    tree.type =
        MapType(keys ? keys : unifier_.NewParameter(), values ? values : unifier_.NewParameter());
  }

  struct Elements {
    TypeRef first;
    TypeRef second;
  };
  Elements ElementTypes(Expression& range, bool two) {
    const TypeRef type = unifier_.Substitute(range.type, false);
    if (type->kind == Type::Kind::kList) {
      if (two) return {Simple(Type::Kind::kInt), type->parameters[0]};
      return {type->parameters[0], nullptr};
    }
    if (type->kind == Type::Kind::kMap) return {type->parameters[0], type->parameters[1]};
    if (type->kind == Type::Kind::kDyn || type->kind == Type::Kind::kParameter) {
      unifier_.IsAssignable(Dyn(), type);
    } else if (type->kind != Type::Kind::kError) {
      Fail(range, fmt::format("a value of the type {} has no elements", TypeText(*type)));
    }
    return {Dyn(), Dyn()};
  }

  void Assert(Expression& tree, const TypeRef& expected) {
    if (!error_.empty() || unifier_.IsAssignable(expected, tree.type)) return;
    Fail(tree, fmt::format("expected the type {} and found {}", Text(expected), Text(tree.type)));
  }

  void Comprehension(Expression& tree) {
    Expression& range = *tree.children[Expression::kRange];
    Expression& start = *tree.children[Expression::kStart];
    Visit(range);
    Visit(start);
    if (!error_.empty()) return;
    const bool two = !tree.second_variable.empty();
    const Elements elements = ElementTypes(range, two);
    tree.slot = scopes_.Add(tree.gathered, start.type);
    scopes_.Add(tree.variable, elements.first);
    if (two) scopes_.Add(tree.second_variable, elements.second);
    Visit(*tree.children[Expression::kCondition]);
    Assert(*tree.children[Expression::kCondition], BoolType());
    Visit(*tree.children[Expression::kStep]);
    Assert(*tree.children[Expression::kStep], start.type);
    if (two) scopes_.Remove();
    scopes_.Remove();
    Expression& result = *tree.children[Expression::kResult];
    Visit(result);
    scopes_.Remove();
    if (error_.empty()) tree.type = unifier_.Substitute(result.type, false);
  }

  // What is known of every type at the end.
  void Settle(Expression& tree) {
    if (tree.type) tree.type = unifier_.Substitute(tree.type, true);
    for (const ExpressionPtr& child : tree.children) Settle(*child);
    if (unifier_.exhausted()) Fail(tree, "its types are too large");
  }

  const Environment& environment_;
  Scopes scopes_;
  Unifier unifier_;
  std::string error_;
};

}  // namespace

Result<Checked> Check(Expression& tree, const Environment& environment) {
  return Checker(environment).Run(tree);
}

}  // namespace batholith::cel
