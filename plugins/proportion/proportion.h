#pragma once

#include "framework/plugin.h"

namespace batholith {

// Queues share the cluster by weight (reference 2.5).
PluginDescriptor ProportionPlugin();

}  // namespace batholith
