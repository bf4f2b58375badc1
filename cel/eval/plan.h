#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "cel/functions/function.h"
#include "cel/functions/regular_expression.h"
#include "cel/type.h"
#include "cel/value.h"

namespace batholith::cel {

// One step of an evaluation.
struct Node {
  enum class Op : std::uint8_t {
    kConstant,     // value
    kSlot,         // slot
    kAnd,          // children: terms
    kOr,           // the same
    kConditional,  // children: condition, yes, no
    kNotStrictlyFalse,
    kField,          // children: operand, key
    kOptionalField,  // the same; what is missing is none
    kPresence,       // the same; whether it is there
    kList,           // children: items
    kMap,            // children: key, value, key, value …
    kMembership,     // value: the set as a map; children: what may be in it
    kCall,           // overloads; children: arguments
    kOptionalOr,     // children: optional, other
    kOptionalOrValue,
    kAppend,         // slot: of a list that grows; children: the item
    kComprehension,  // slot: of what is gathered, then the variables; children as Expression::Part
  };
  Op op = Op::kConstant;
  // What a step costs besides its children. Names and the first field of a value cost 1, but not
  // where cel-go takes them over into a conditional, an index or has().
  std::uint8_t cost = 0;
  bool two_variables = false;
  std::int32_t slot = -1;
  Value value;
  std::vector<std::uint32_t> children;
  std::vector<const Declaration*> overloads;
  std::vector<bool> optional;
  std::shared_ptr<const RegularExpression> pattern;  // of a search whose pattern is written out
};

struct Plan {
  std::vector<Node> nodes;
  std::uint32_t root = 0;
  std::size_t slots = 0;
  TypeRef type;
};

}  // namespace batholith::cel
