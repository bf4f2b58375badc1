#pragma once

#include "framework/plugin.h"

namespace batholith {

// Time-division multiplexing: nodes of a revocable zone take batch pods while the zone is open.
PluginDescriptor TdmPlugin();

}  // namespace batholith
