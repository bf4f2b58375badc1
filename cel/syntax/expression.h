#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cel/type.h"
#include "cel/value.h"

namespace batholith::cel {

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

// A node of the tree that a text stands for. Macros are expanded already.
struct Expression {
  enum class Kind : std::uint8_t {
    kLiteral,
    kIdent,          // name
    kSelect,         // children: operand; name: field
    kPresence,       // has(operand.field): the same
    kCall,           // name; children: the target first if is_member, then the arguments
    kList,           // children: items
    kMap,            // children: key, value, key, value …
    kStruct,         // name: of the message; its fields are not kept
    kComprehension,  // children: by Part
  };
  enum Part : std::uint8_t { kRange, kStart, kCondition, kStep, kResult };

  Kind kind = Kind::kLiteral;
  std::uint32_t position = 0;  // in the text
  bool is_member = false;
  Value literal;
  std::string name;
  std::vector<ExpressionPtr> children;
  std::vector<bool> optional;  // of each item or entry: written with a question mark
  // Of a comprehension: variables of the elements (of keys and values, or indices and elements, if
  // both are set) and of what is gathered.
  std::string variable;
  std::string second_variable;
  std::string gathered;

  // Set by the checker.
  TypeRef type;
  std::int32_t slot = -1;             // of an identifier, or the first one of a comprehension
  std::vector<std::uint16_t> chosen;  // overloads of the function that may be meant
};

// Names of the operators as functions; no text can spell them.
inline constexpr std::string_view kConditionalOperator = "_?_:_";
inline constexpr std::string_view kAndOperator = "_&&_";
inline constexpr std::string_view kOrOperator = "_||_";
inline constexpr std::string_view kNotOperator = "!_";
inline constexpr std::string_view kNegateOperator = "-_";
inline constexpr std::string_view kIndexOperator = "_[_]";
inline constexpr std::string_view kOptionalIndexOperator = "_[?_]";
inline constexpr std::string_view kOptionalSelectOperator = "_?._";
inline constexpr std::string_view kInOperator = "@in";
inline constexpr std::string_view kNotStrictlyFalseOperator = "@not_strictly_false";
inline constexpr std::string_view kGathered = "@result";
inline constexpr std::string_view kUnused = "#unused";

// Nodes of one tree: beyond it, an expression is refused. Macros that repeat their target can make
// a tree out of all proportion to the text.
inline constexpr std::size_t kMostNodes = 100'000;

}  // namespace batholith::cel
