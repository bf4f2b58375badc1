#pragma once

#include "framework/action.h"

namespace batholith {

// Evicts the running tasks that plugins name, at once.
ActionDescriptor ShuffleAction();

}  // namespace batholith
