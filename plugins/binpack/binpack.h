#pragma once

#include "framework/plugin.h"

namespace batholith {

// Prefers the node that would be fullest. Source: Volcano's plugin of this name.
PluginDescriptor BinpackPlugin();

}  // namespace batholith
