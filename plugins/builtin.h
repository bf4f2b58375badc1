#pragma once

#include <span>

#include "framework/plugin.h"

namespace batholith {

// Every plugin there is, by name.
std::span<const PluginDescriptor> BuiltinPlugins();

}  // namespace batholith
