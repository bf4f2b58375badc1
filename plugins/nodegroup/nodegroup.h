#pragma once

#include "framework/plugin.h"

namespace batholith {

// Ties queues to groups of nodes by affinity, with limits per group. Source:
// spec.affinity.nodeGroupAffinity of Volcano's Queue.
PluginDescriptor NodegroupPlugin();

}  // namespace batholith
