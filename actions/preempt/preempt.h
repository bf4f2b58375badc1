#pragma once

#include "framework/action.h"

namespace batholith {

// Makes room inside a queue: between its jobs, then inside one job. A gang's plan is committed only
// when the whole gang gets its place; nothing is bound here.
ActionDescriptor PreemptAction();

}  // namespace batholith
