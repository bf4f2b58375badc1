#pragma once

#include "framework/plugin.h"

namespace batholith {

// Dominant resource fairness between jobs, between the namespaces of a queue, and (enableHierarchy)
// along a tree of queues.
PluginDescriptor DrfPlugin();

}  // namespace batholith
