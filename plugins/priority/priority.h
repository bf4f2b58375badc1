#pragma once

#include <memory>

#include "framework/plugin.h"

namespace batholith {

// Higher priority goes first, and may take the place of lower.
std::unique_ptr<Plugin> MakePriority(const PluginContext& context);

}  // namespace batholith
