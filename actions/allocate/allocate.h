#pragma once

#include "framework/action.h"

namespace batholith {

// Serves queues, namespaces and jobs in turns: a job gets its gang minimum in one turn, then one
// task a turn. A gang that does not reach its minimum gives everything back; one that reaches it
// only with room that is being released keeps the room for this session and binds nobody.
ActionDescriptor AllocateAction();

}  // namespace batholith
