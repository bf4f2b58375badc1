#pragma once

#include "framework/plugin.h"

namespace batholith {

// Admits jobs up to a multiple of what the cluster has.
PluginDescriptor OvercommitPlugin();

}  // namespace batholith
