#pragma once

#include <memory>

#include "framework/plugin.h"

namespace batholith {

// Queues that deserve a fixed amount, may use idle resources up to their capability, and get their
// amount back by reclaim; flat, or as a tree (enableHierarchy). Arguments: ancestorReclaimLevel.
std::unique_ptr<Plugin> MakeCapacity(const PluginContext& context);

}  // namespace batholith
