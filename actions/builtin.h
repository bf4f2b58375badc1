#pragma once

#include <span>

#include "framework/pipeline.h"

namespace batholith {

std::span<const ActionDescriptor> BuiltinActions();

}  // namespace batholith
