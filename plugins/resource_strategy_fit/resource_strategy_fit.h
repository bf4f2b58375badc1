#pragma once

#include <memory>

#include "framework/plugin.h"

namespace batholith {

// Least or most allocated by resource, scarce-resource avoidance, proportional reserve
// (reference 2.21).
std::unique_ptr<Plugin> MakeResourceStrategyFit(const PluginContext& context);

}  // namespace batholith
