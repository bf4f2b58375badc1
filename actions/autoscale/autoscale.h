#pragma once

#include "framework/action.h"

namespace batholith {

// Says how many nodes each group should have: more for pods and placeholders without a place, fewer
// where nobody needs them. Writes nothing: mode apply leaves orders in the report. Between two
// decisions, which are `interval` apart, the report stays as it was, without orders. Cost:
// O(tasks + nodes) to look, and that of Decide.
ActionDescriptor AutoscaleAction();

}  // namespace batholith
