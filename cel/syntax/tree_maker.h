#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "cel/syntax/expression.h"

namespace batholith::cel {

// Makes the nodes of one tree, all of them at one place of the text, and counts them.
class TreeMaker {
 public:
  explicit TreeMaker(std::size_t& nodes) : nodes_(nodes) {}

  void MoveTo(std::uint32_t position) { position_ = position; }
  bool too_large() const { return nodes_ > kMostNodes; }

  ExpressionPtr New(Expression::Kind kind, std::string_view name = {}) {
    ++nodes_;
    auto out = std::make_unique<Expression>();
    out->kind = kind;
    out->position = position_;
    out->name = name;
    return out;
  }
  ExpressionPtr Literal(Value value) {
    auto out = New(Expression::Kind::kLiteral);
    out->literal = std::move(value);
    return out;
  }
  ExpressionPtr Ident(std::string_view name) { return New(Expression::Kind::kIdent, name); }
  template <typename... Children>
  ExpressionPtr Call(std::string_view function, Children... children) {
    auto out = New(Expression::Kind::kCall, function);
    (out->children.push_back(std::move(children)), ...);
    return out;
  }
  template <typename... Children>
  ExpressionPtr Member(std::string_view function, Children... children) {
    auto out = Call(function, std::move(children)...);
    out->is_member = true;
    return out;
  }
  template <typename... Children>
  ExpressionPtr List(Children... children) {
    auto out = New(Expression::Kind::kList);
    (out->children.push_back(std::move(children)), ...);
    return out;
  }
  // Null: the tree has become too large.
  ExpressionPtr Copy(const Expression& from) {
    if (too_large()) return nullptr;
    ++nodes_;
    auto out = std::make_unique<Expression>();
    out->kind = from.kind;
    out->position = from.position;
    out->is_member = from.is_member;
    out->literal = from.literal;
    out->name = from.name;
    out->optional = from.optional;
    out->variable = from.variable;
    out->second_variable = from.second_variable;
    out->gathered = from.gathered;
    for (const ExpressionPtr& child : from.children) {
      out->children.push_back(Copy(*child));
      if (!out->children.back()) return nullptr;
    }
    return out;
  }

 private:
  std::size_t& nodes_;
  std::uint32_t position_ = 0;
};

}  // namespace batholith::cel
