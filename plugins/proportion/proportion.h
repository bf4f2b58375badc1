#pragma once

#include "framework/plugin.h"

namespace batholith {

// Queues share the cluster by weight. Source: Volcano's plugin of this name.
PluginDescriptor ProportionPlugin();

}  // namespace batholith
