#pragma once

#include "framework/plugin.h"

namespace batholith {

// Queues that deserve a fixed amount, may use idle resources up to their capability, and get their
// amount back by reclaim; flat, or as a tree (enableHierarchy).
PluginDescriptor CapacityPlugin();

}  // namespace batholith
