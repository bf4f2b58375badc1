#pragma once

#include "framework/plugin.h"

namespace batholith {

// Prefers the node that would be fullest (reference 2.12).
PluginDescriptor BinpackPlugin();

}  // namespace batholith
