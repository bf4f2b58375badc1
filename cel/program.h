#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/result.h"
#include "cel/type.h"
#include "cel/value.h"

namespace batholith::cel {

// What an expression may name besides the standard libraries: variables and the fields of their
// types. An object is a map with text keys when it is evaluated.
struct Environment {
  struct Named {
    std::string name;
    TypeRef type;
  };
  struct Object {
    std::string name;
    std::vector<Named> fields;
  };
  std::vector<Named> variables;
  std::vector<Object> objects;
};

// The cost at which Kubernetes ends the evaluation of a device's selector.
inline constexpr std::uint64_t kSelectorCostLimit = 1'000'000;

struct Outcome {
  Value value;  // may be an error
  std::uint64_t cost = 0;
};

struct Plan;

// An expression, parsed, checked and ready to be evaluated. Cheap to copy; evaluations change
// nothing and may run side by side.
class Program {
 public:
  // Errors: no expression of the language, types that do not fit, or a function that this build
  // does not have, which is named. Cost: proportional to the text, but for the macros that repeat
  // what they are applied to; texts, depth and the expanded size are bounded.
  static Result<Program> Compile(std::string_view text, const Environment& environment);

  // `variables`: a value for each of the environment's, in its order.
  Outcome Evaluate(std::span<const Value> variables,
                   std::uint64_t cost_limit = kSelectorCostLimit) const;

  // What the checker found that it gives.
  const Type& type() const;

 private:
  explicit Program(std::shared_ptr<const Plan> plan) : plan_(std::move(plan)) {}

  std::shared_ptr<const Plan> plan_;
};

}  // namespace batholith::cel
