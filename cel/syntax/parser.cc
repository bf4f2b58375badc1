#include "cel/syntax/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/utf8.h"
#include "cel/syntax/literal.h"
#include "cel/syntax/macros.h"
#include "cel/syntax/token.h"
#include "cel/syntax/tree_maker.h"

namespace batholith::cel {
namespace {

using TreeKind = Expression::Kind;

constexpr std::array<std::string_view, 17> kReserved{
    "as",  "break", "const",   "continue",  "else",   "for", "function", "if",   "import",
    "let", "loop",  "package", "namespace", "return", "var", "void",     "while"};

bool IsReserved(std::string_view name) {
  return std::find(kReserved.begin(), kReserved.end(), name) != kReserved.end();
}

// A tree, and how deep the operators in it are nested. Without a tree: an error was told.
struct Parsed {
  ExpressionPtr tree;
  int depth = 0;

  explicit operator bool() const { return tree != nullptr; }
};

class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)), make_(nodes_) {}

  Result<ExpressionPtr> Run() {
    Parsed out = ParseExpression();
    if (out && Now().kind != Token::Kind::kEnd) out = Fail("expected an operator or the end");
    if (!out) return Invalid(std::move(error_));
    return std::move(out.tree);
  }

 private:
  const Token& Now() const { return tokens_[at_]; }
  const Token& Next() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  bool At(std::string_view symbol) const {
    return Now().kind == Token::Kind::kSymbol && Now().text == symbol;
  }
  bool Take(std::string_view symbol) {
    if (!At(symbol)) return false;
    ++at_;
    return true;
  }
  Parsed Fail(std::string_view what) {
    if (error_.empty()) {
      const std::string found = Now().kind == Token::Kind::kEnd
                                    ? "the end"
                                    : fmt::format("'{}'", Now().text.substr(0, 40));
      error_ = fmt::format("at {}: {} (found: {})", Now().position + 1, what, found);
    }
    return {};
  }

  // One level more of operators. Null: too deep, or too large.
  Parsed Deeper(ExpressionPtr tree, int depth) {
    if (depth + 1 > kMostDepth) return Fail("operators are nested too deeply");
    if (make_.too_large()) return Fail("it has become too large");
    return {std::move(tree), depth + 1};
  }
  Parsed Binary(std::string_view function, Parsed left, Parsed right) {
    const int depth = std::max(left.depth, right.depth);
    return Deeper(make_.Call(function, std::move(left.tree), std::move(right.tree)), depth);
  }

  Parsed ParseExpression() {
    if (++nesting_ > kMostDepth) return Fail("it is nested too deeply");
    Parsed out = Or();
    const std::uint32_t position = Now().position;
    if (out && Take("?")) {
      Parsed yes = Or();
      if (yes && !Take(":")) yes = Fail("expected ':'");
      Parsed no = yes ? ParseExpression() : Parsed();
      if (!no) return {};
      make_.MoveTo(position);
      const int depth = std::max({out.depth, yes.depth, no.depth});
      out = Deeper(make_.Call(kConditionalOperator, std::move(out.tree), std::move(yes.tree),
                              std::move(no.tree)),
                   depth);
    }
    --nesting_;
    return out;
  }

  // Terms of && and || are one list, so that any number of them is as deep as one.
  Parsed Terms(std::string_view symbol, std::string_view function, Parsed (Parser::*term)()) {
    Parsed out = (this->*term)();
    if (!out || !At(symbol)) return out;
    make_.MoveTo(Now().position);
    ExpressionPtr all = make_.Call(function, std::move(out.tree));
    while (Take(symbol)) {
      Parsed next = (this->*term)();
      if (!next) return {};
      out.depth = std::max(out.depth, next.depth);
      all->children.push_back(std::move(next.tree));
    }
    return {std::move(all), out.depth};
  }
  Parsed Or() { return Terms("||", kOrOperator, &Parser::And); }
  Parsed And() { return Terms("&&", kAndOperator, &Parser::Relation); }

  struct Operator {
    std::string_view symbol;
    std::string_view function;
  };
  std::string_view OperatorHere(std::span<const Operator> operators) const {
    if (Now().kind != Token::Kind::kSymbol && Now().text != "in") return {};
    for (const Operator& candidate : operators) {
      if (Now().text == candidate.symbol) return candidate.function;
    }
    return {};
  }
  // Operators of one precedence, from left to right.
  Parsed Chain(std::span<const Operator> operators, Parsed (Parser::*term)()) {
    Parsed out = (this->*term)();
    for (std::string_view function; out && !(function = OperatorHere(operators)).empty();) {
      const std::uint32_t position = Now().position;
      ++at_;
      Parsed right = (this->*term)();
      if (!right) return {};
      make_.MoveTo(position);
      out = Binary(function, std::move(out), std::move(right));
    }
    return out;
  }
  Parsed Relation() {
    static constexpr std::array<Operator, 7> kOperators{{{"<", "_<_"},
                                                         {"<=", "_<=_"},
                                                         {">=", "_>=_"},
                                                         {">", "_>_"},
                                                         {"==", "_==_"},
                                                         {"!=", "_!=_"},
                                                         {"in", kInOperator}}};
    return Chain(kOperators, &Parser::Sum);
  }
  Parsed Sum() {
    static constexpr std::array<Operator, 2> kOperators{{{"+", "_+_"}, {"-", "_-_"}}};
    return Chain(kOperators, &Parser::Product);
  }
  Parsed Product() {
    static constexpr std::array<Operator, 3> kOperators{{{"*", "_*_"}, {"/", "_/_"}, {"%", "_%_"}}};
    return Chain(kOperators, &Parser::Unary);
  }

  // Signs of one kind cancel each other out in pairs; a minus before a number belongs to it.
  Parsed Unary() {
    const std::uint32_t position = Now().position;
    for (const Operator& sign : {Operator{"!", kNotOperator}, Operator{"-", kNegateOperator}}) {
      const auto number = [&] {
        return sign.symbol == "-" &&
               (Next().kind == Token::Kind::kInt || Next().kind == Token::Kind::kDouble);
      };
      if (!At(sign.symbol) || number()) continue;
      bool odd = false;
      while (Take(sign.symbol)) odd = !odd;
      Parsed out = Member();
      if (!out || !odd) return out;
      make_.MoveTo(position);
      return {make_.Call(sign.function, std::move(out.tree)), out.depth};
    }
    return Member();
  }

  Parsed Member() {
    Parsed out = Primary();
    while (out) {
      const std::uint32_t position = Now().position;
      if (Take(".")) {
        out = Selected(std::move(out), position);
      } else if (Take("[")) {
        out = Indexed(std::move(out), position);
      } else {
        break;
      }
    }
    return out;
  }

  Parsed Selected(Parsed operand, std::uint32_t position) {
    const bool optional = Take("?");
    if (Now().kind != Token::Kind::kIdentifier) return Fail("expected the name of a field");
    const std::string name(Now().text);
    ++at_;
    if (!optional && At("(")) return Called(name, std::move(operand), position);
    make_.MoveTo(position);
    ExpressionPtr tree;
    if (optional) {
      tree = make_.Call(kOptionalSelectOperator, std::move(operand.tree),
                        make_.Literal(Value::String(name)));
    } else {
      tree = make_.New(TreeKind::kSelect, name);
      tree->children.push_back(std::move(operand.tree));
    }
    return Deeper(std::move(tree), operand.depth);
  }

  Parsed Indexed(Parsed operand, std::uint32_t position) {
    const bool optional = Take("?");
    Parsed index = ParseExpression();
    if (index && !Take("]")) index = Fail("expected ']'");
    if (!index) return {};
    make_.MoveTo(position);
    return Binary(optional ? kOptionalIndexOperator : kIndexOperator, std::move(operand),
                  std::move(index));
  }

  // At the bracket of a call; without target, a global one.
  Parsed Called(std::string name, Parsed target, std::uint32_t position) {
    ++at_;
    const bool member = target.tree != nullptr;
    WrittenCall call{std::move(name), std::move(target.tree), {}};
    int depth = target.depth;
    while (!Take(")")) {
      if (!call.arguments.empty() && !Take(",")) return Fail("expected ',' or ')'");
      Parsed argument = ParseExpression();
      if (!argument) return {};
      depth = std::max(depth, argument.depth);
      call.arguments.push_back(std::move(argument.tree));
    }
    make_.MoveTo(position);
    Expansion expansion = ExpandMacro(call, make_);
    if (!expansion.error.empty()) return Fail(expansion.error);
    ExpressionPtr tree = std::move(expansion.tree);
    if (!tree) {
      tree = make_.Call(call.name);
      tree->is_member = member;
      if (member) tree->children.push_back(std::move(call.target));
      for (ExpressionPtr& argument : call.arguments) tree->children.push_back(std::move(argument));
    }
    if (member) return Deeper(std::move(tree), depth);
    return {std::move(tree), depth};
  }

  Parsed Primary() {
    const std::uint32_t position = Now().position;
    make_.MoveTo(position);
    if (Take("(")) {
      Parsed out = ParseExpression();
      if (out && !Take(")")) return Fail("expected ')'");
      return out;
    }
    if (Take("[")) return ListItems(position);
    if (Take("{")) return MapEntries(position);
    if (At(".") || Now().kind == Token::Kind::kIdentifier) return Named(position);
    return Literal();
  }

  // An identifier, a global call, or a message.
  Parsed Named(std::uint32_t position) {
    Take(".");
    if (Now().kind != Token::Kind::kIdentifier) return Fail("expected a name");
    const std::string name(Now().text);
    if (StartsMessage()) return Fail("messages are not supported by this build");
    if (IsReserved(name)) return Fail("a reserved word cannot be a name");
    ++at_;
    if (At("(")) return Called(name, {}, position);
    return {make_.Ident(name), 0};
  }

  // a.b.c { …
  bool StartsMessage() const {
    std::size_t at = at_ + 1;
    while (at + 1 < tokens_.size() && tokens_[at].text == "." &&
           tokens_[at + 1].kind == Token::Kind::kIdentifier)
      at += 2;
    return tokens_[at].kind == Token::Kind::kSymbol && tokens_[at].text == "{";
  }

  Parsed ListItems(std::uint32_t position) {
    ExpressionPtr list = make_.New(TreeKind::kList);
    list->position = position;
    int depth = 0;
    while (!Take("]")) {
      if (!list->children.empty()) {
        if (!Take(",")) return Fail("expected ',' or ']'");
        if (Take("]")) break;
      } else if (Take(",")) {
        if (Take("]")) break;
        return Fail("expected ']'");
      }
      const bool optional = Take("?");
      Parsed item = ParseExpression();
      if (!item) return {};
      depth = std::max(depth, item.depth);
      list->children.push_back(std::move(item.tree));
      list->optional.push_back(optional);
    }
    return {std::move(list), depth};
  }

  Parsed MapEntries(std::uint32_t position) {
    ExpressionPtr map = make_.New(TreeKind::kMap);
    map->position = position;
    int depth = 0;
    while (!Take("}")) {
      if (!map->children.empty()) {
        if (!Take(",")) return Fail("expected ',' or '}'");
        if (Take("}")) break;
      } else if (Take(",")) {
        if (Take("}")) break;
        return Fail("expected '}'");
      }
      const bool optional = Take("?");
      Parsed key = ParseExpression();
      if (key && !Take(":")) return Fail("expected ':'");
      Parsed value = key ? ParseExpression() : Parsed();
      if (!value) return {};
      depth = std::max({depth, key.depth, value.depth});
      map->children.push_back(std::move(key.tree));
      map->children.push_back(std::move(value.tree));
      map->optional.push_back(optional);
    }
    return {std::move(map), depth};
  }

  Parsed Literal() {
    const bool negative = At("-");
    const Token token = negative ? Next() : Now();
    Result<Value> value = Invalid("expected a value");
    if (token.kind == Token::Kind::kInt) value = IntLiteral(token.text, negative);
    if (token.kind == Token::Kind::kDouble) value = DoubleLiteral(token.text, negative);
    if (!negative) {
      if (token.kind == Token::Kind::kUint) value = UintLiteral(token.text);
      if (token.kind == Token::Kind::kString) value = StringLiteral(token.text);
      if (token.kind == Token::Kind::kBytes) value = BytesLiteral(token.text);
      if (token.kind == Token::Kind::kKeyword) {
        if (token.text == "true" || token.text == "false")
          value = Value::Bool(token.text == "true");
        if (token.text == "null") value = Value();
      }
    }
    if (!value) return Fail(value.error().message);
    at_ += negative ? 2 : 1;
    return {make_.Literal(std::move(*value)), 0};
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::size_t nodes_ = 0;
  TreeMaker make_;
  int nesting_ = 0;
  std::string error_;
};

}  // namespace

Result<ExpressionPtr> Parse(std::string_view text) {
  std::size_t characters = 0;
  for (std::size_t at = 0; at < text.size(); ++characters) {
    const std::size_t length = SequenceLength(text, at);
    if (length == 0) return Invalid(fmt::format("at {}: this is no UTF-8", at + 1));
    at += length;
  }
  if (characters > kMostCharacters)
    return Invalid(
        fmt::format("it has {} characters, and at most {} are read", characters, kMostCharacters));
  auto tokens = Tokens(text);
  if (!tokens) return std::unexpected(std::move(tokens.error()));
  return Parser(std::move(*tokens)).Run();
}

}  // namespace batholith::cel
