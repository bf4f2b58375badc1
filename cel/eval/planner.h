#pragma once

#include <cstddef>

#include "api/result.h"
#include "cel/eval/plan.h"
#include "cel/syntax/expression.h"

namespace batholith::cel {

// A checked tree → steps. What does not depend on variables is evaluated here, as cel-go does it:
// conversions, lists and maps of constants, and patterns. Errors: of those evaluations.
Result<Plan> MakePlan(const Expression& tree, std::size_t slots);

}  // namespace batholith::cel
