#pragma once

#include <cstddef>
#include <string_view>

#include "cel/functions/function.h"

namespace batholith::cel {

// "%d-%s".format([1, "a"]): clauses s, d, f, e, b, x, X, o, with a precision for f and e, written
// for the locale en_US. Errors: a clause that there is not, too few values, or one of the wrong
// type.
Value FormatText(std::string_view format, const List& values, Work& work);

// A clause of a format: the letter, and how long it is with its percent sign. A letter of 0: none.
struct FormatClause {
  char letter = 0;
  int precision = 6;
  std::size_t length = 0;
};
FormatClause ClauseAt(std::string_view format, std::size_t percent);

}  // namespace batholith::cel
