#pragma once

#include <cstddef>
#include <string_view>

#include "api/result.h"
#include "cel/syntax/expression.h"

namespace batholith::cel {

// As deep as cel-go goes, and its most characters.
inline constexpr int kMostDepth = 250;
inline constexpr std::size_t kMostCharacters = 100'000;

// Text → tree, with macros expanded. Errors: with the place in the text, counted from 1. Cost:
// proportional to the text and the tree that macros make of it, which is bounded.
Result<ExpressionPtr> Parse(std::string_view text);

}  // namespace batholith::cel
