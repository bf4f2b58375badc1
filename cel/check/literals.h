#pragma once

#include <string>

#include "cel/syntax/expression.h"

namespace batholith::cel {

// What can be refused before an evaluation because it is written out: lists and maps of several
// types, regular expressions, the arguments of format. The first error goes into `error`, which is
// empty before. REQUIRES: a checked tree.
void CheckLiterals(const Expression& tree, std::string& error);

}  // namespace batholith::cel
