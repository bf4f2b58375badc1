#pragma once

#include "framework/plugin.h"

namespace batholith {

// Ties queues to groups of nodes by affinity, with limits per group (reference 2.16).
PluginDescriptor NodegroupPlugin();

}  // namespace batholith
