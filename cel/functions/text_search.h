#pragma once

#include <string_view>

#include "cel/functions/function.h"
#include "cel/functions/regular_expression.h"

namespace batholith::cel {

// matches, find and findAll with a regular expression that is compiled already.
Value SearchText(std::string_view function, Arguments arguments, const RegularExpression& pattern,
                 Work& work);
// Whether the function's second argument is a regular expression.
bool IsSearch(std::string_view function);

}  // namespace batholith::cel
