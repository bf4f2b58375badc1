#pragma once

#include "framework/plugin.h"

namespace batholith {

// Higher priority goes first, and may take the place of lower.
PluginDescriptor PriorityPlugin();

}  // namespace batholith
