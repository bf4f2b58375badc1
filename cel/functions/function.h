#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cel/type.h"
#include "cel/value.h"

namespace batholith::cel {

// Steps that an evaluation may still take beyond what its cost counts: the language counts equality
// of large values and sums of lists as next to nothing. Exhausted, it ends with an error.
class Work {
 public:
  explicit Work(std::uint64_t steps) : left_(steps) {}

  // False: there is nothing left.
  bool Spend(std::uint64_t steps) {
    if (steps > left_) {
      left_ = 0;
      return false;
    }
    left_ -= steps;
    return true;
  }
  bool exhausted() const { return left_ == 0; }

 private:
  std::uint64_t left_;
};

using Arguments = std::span<const Value>;
// Never called with an error among the arguments.
using Implementation = Value (*)(Arguments arguments, Work& work);
// The cost of a call, of which arguments or the result may be errors.
using CostOf = std::uint64_t (*)(Arguments arguments, const Value& result);

// How the cost of a call is counted. Kubernetes counts some by the name of the function; others
// count as 1 unless it is known before the evaluation which overload is meant.
struct CallCost {
  CostOf count = nullptr;  // null: 1
  bool by_name = false;
};

// One way to call a function, as a row of a table. Types are written as in TypeText, with single
// capital letters for parameters.
struct Overload {
  std::string_view function;
  std::string_view arguments;  // "string, list(A)"; of a member, the target first
  std::string_view result;
  Implementation run;
  CallCost cost = {};
  bool member = false;
  // Whether values are checked against the types of the arguments before the call: operators that
  // look at their values themselves are not.
  bool checked = true;
};

// The same with types.
struct Declaration {
  const Overload* overload = nullptr;
  std::vector<TypeRef> arguments;
  TypeRef result;
  bool has_parameters = false;
};

// Whether a value may be passed where the type is declared: of lists and maps, the first element
// decides, as in cel-go.
bool Accepts(const Type& type, const Value& value);

}  // namespace batholith::cel
