#pragma once

#include "framework/action.h"

namespace batholith {

// Places tasks that ask for nothing but a pod slot: by queue, job and task order, a queue at a time
// (reference 1.3).
ActionDescriptor BackfillAction();

}  // namespace batholith
