#include "cel/check/literals.h"

#include <fmt/format.h>

#include <string_view>

#include "cel/check/unifier.h"
#include "cel/functions/format_text.h"
#include "cel/functions/regular_expression.h"
#include "cel/functions/time.h"

namespace batholith::cel {
namespace {

using TreeKind = Expression::Kind;

bool IsText(const Expression& tree) {
  return tree.kind == TreeKind::kLiteral && tree.literal.is(Value::Kind::kString);
}

class LiteralChecker {
 public:
  explicit LiteralChecker(std::string& error) : error_(error) {}

  // `exempt`: inside of the values of a format, which may be of several types.
  void Visit(const Expression& tree, bool exempt) {
    if (!error_.empty()) return;
    const bool call = tree.kind == TreeKind::kCall;
    if (call && tree.name == "format") exempt = true;
    if (!exempt && (tree.kind == TreeKind::kList || tree.kind == TreeKind::kMap)) OneType(tree);
    if (call && tree.name == "matches") Pattern(tree);
    if (call && tree.name == "format" && tree.is_member) Format(tree);
    if (call && tree.is_member && tree.name.starts_with("get")) Zone(tree);
    for (const ExpressionPtr& child : tree.children) Visit(*child, exempt);
  }

 private:
  void Fail(const Expression& tree, std::string_view what) {
    if (error_.empty()) error_ = fmt::format("at {}: {}", tree.position + 1, what);
  }

  // Every other child from the first on has its type.
  void OneType(const Expression& tree) {
    const std::size_t step = tree.kind == TreeKind::kMap ? 2 : 1;
    for (std::size_t c = step; c < tree.children.size(); ++c) {
      const Type& expected = ItemType(tree, c % step);
      const Type& found = ItemType(tree, c);
      if (!IsSameType(expected, found))
        return Fail(*tree.children[c], fmt::format("expected the type {} and found {}",
                                                   TypeText(expected), TypeText(found)));
    }
  }
  // Without the optional type of what is written with a question mark.
  static const Type& ItemType(const Expression& tree, std::size_t child) {
    const Type& type = *tree.children[child]->type;
    const bool map = tree.kind == TreeKind::kMap;
    const std::size_t item = map ? child / 2 : child;
    const bool optional =
        item < tree.optional.size() && tree.optional[item] && !(map && child % 2 == 0);
    return optional && IsOptional(type) ? *type.parameters[0] : type;
  }

  // As cel-go, the first argument after the target is looked at, even where that is not the
  // pattern.
  void Pattern(const Expression& tree) {
    const Expression& argument = *tree.children[tree.is_member ? 1 : 0];
    if (IsText(argument) && !RegularExpression(argument.literal.text()).ok())
      Fail(argument, "this is no regular expression");
  }

  void Zone(const Expression& tree) {
    if (tree.children.size() != 2 || !IsText(*tree.children[1])) return;
    if (!ReadZone(tree.children[1]->literal.text()))
      Fail(*tree.children[1], "time zones by name are not supported by this build");
  }

  void Format(const Expression& tree) {
    if (!IsText(*tree.children[0]) || tree.children[1]->kind != TreeKind::kList) return;
    const std::string_view format = tree.children[0]->literal.text();
    const std::vector<ExpressionPtr>& values = tree.children[1]->children;
    std::size_t next = 0;
    for (std::size_t at = 0; at < format.size();) {
      if (format[at] != '%' || format.substr(at).starts_with("%%")) {
        at += format[at] == '%' ? 2 : 1;
        continue;
      }
      const FormatClause clause = ClauseAt(format, at);
      if (clause.letter == 0 || next >= values.size())
        return Fail(tree, clause.letter == 0 ? "the format has a clause that there is not"
                                             : "the format has more clauses than there are values");
      if (!Fits(clause.letter, *values[next])) {
        const std::string what = fmt::format("the clause %{} does not format values of the type {}",
                                             clause.letter, TypeText(*values[next]->type));
        return Fail(*values[next], what);
      }
      ++next;
      at += clause.length;
    }
    if (next < values.size()) Fail(tree, "there are more values than the format has clauses");
  }

  static bool Fits(char letter, const Expression& value) {
    const Type::Kind kind = value.type->kind;
    if (kind == Type::Kind::kDyn && letter != 's') return true;
    switch (letter) {
      case 'd':
      case 'o':
        return kind == Type::Kind::kInt || kind == Type::Kind::kUint;
      case 'b':
        return kind == Type::Kind::kInt || kind == Type::Kind::kUint || kind == Type::Kind::kBool;
      case 'x':
      case 'X':
        return kind == Type::Kind::kInt || kind == Type::Kind::kUint ||
               kind == Type::Kind::kString || kind == Type::Kind::kBytes;
      case 'f':
      case 'e':
        return kind == Type::Kind::kDouble || kind == Type::Kind::kString;
      default:
        return FitsText(value);
    }
  }

  // What is written out in a list or map must fit, too.
  static bool FitsText(const Expression& value) {
    switch (value.type->kind) {
      case Type::Kind::kAny:
      case Type::Kind::kOpaque:
      case Type::Kind::kObject:
      case Type::Kind::kParameter:
      case Type::Kind::kError:
        return false;
      default:
        break;
    }
    if (value.kind != TreeKind::kList && value.kind != TreeKind::kMap) return true;
    for (const ExpressionPtr& child : value.children) {
      if (!FitsText(*child)) return false;
    }
    return true;
  }

  std::string& error_;
};

}  // namespace

void CheckLiterals(const Expression& tree, std::string& error) {
  LiteralChecker(error).Visit(tree, false);
}

}  // namespace batholith::cel
