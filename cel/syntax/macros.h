#pragma once

#include <string>
#include <vector>

#include "cel/syntax/expression.h"
#include "cel/syntax/tree_maker.h"

namespace batholith::cel {

// A call as it is written, before anybody knows whether it is a macro.
struct WrittenCall {
  std::string name;
  ExpressionPtr target;  // null: a global call
  std::vector<ExpressionPtr> arguments;
};

struct Expansion {
  ExpressionPtr tree;  // null, without error: no macro, and `call` is as it was
  std::string error;   // a macro, applied to what it cannot take
};

// all, exists, exists_one (of one variable and of two), existsOne (of two), map, filter,
// transformList, transformMap, transformMapEntry, has, cel.bind, optMap, optFlatMap, sortBy.
Expansion ExpandMacro(WrittenCall& call, TreeMaker& make);

}  // namespace batholith::cel
