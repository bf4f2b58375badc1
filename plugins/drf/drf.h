#pragma once

#include "framework/plugin.h"

namespace batholith {

// Dominant resource fairness between jobs, between the namespaces of a queue, and (enableHierarchy)
// along a tree of queues (reference 2.4 and section 6, "Ours").
PluginDescriptor DrfPlugin();

}  // namespace batholith
