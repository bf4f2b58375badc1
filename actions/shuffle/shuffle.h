#pragma once

#include "framework/action.h"

namespace batholith {

// Evicts the running tasks that plugins name, at once (reference 1.6).
ActionDescriptor ShuffleAction();

}  // namespace batholith
