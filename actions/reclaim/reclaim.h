#pragma once

#include "framework/action.h"

namespace batholith {

// A queue below its share takes room back from queues above theirs. Committed only when the whole
// gang gets its place; nothing is bound here.
ActionDescriptor ReclaimAction();

}  // namespace batholith
