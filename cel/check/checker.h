#pragma once

#include <cstddef>

#include "api/result.h"
#include "cel/program.h"
#include "cel/syntax/expression.h"

namespace batholith::cel {

struct Checked {
  std::size_t slots = 0;  // of variables, those of the environment first
};

// Gives every node its type, every name its variable and every call the overloads that it may mean;
// names of types become values. Errors: what cel-go refuses, and functions that this build does not
// have, by name. Cost: proportional to the tree, but for types that are repeated in themselves,
// which are bounded.
Result<Checked> Check(Expression& tree, const Environment& environment);

}  // namespace batholith::cel
