#pragma once

#include "framework/action.h"

namespace batholith {

// Places tasks that ask for nothing but a pod slot: by queue, job and task order, a queue at a
// time.
ActionDescriptor BackfillAction();

}  // namespace batholith
