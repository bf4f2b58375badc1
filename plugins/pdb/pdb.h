#pragma once

#include <memory>

#include "framework/plugin.h"

namespace batholith {

// Victims never exceed what pod disruption budgets allow.
std::unique_ptr<Plugin> MakePdb(const PluginContext& context);

}  // namespace batholith
