#pragma once

#include <span>

#include "framework/action.h"

namespace batholith {

std::span<const ActionDescriptor> BuiltinActions();

}  // namespace batholith
