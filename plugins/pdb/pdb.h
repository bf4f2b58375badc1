#pragma once

#include "framework/plugin.h"

namespace batholith {

// Victims never exceed what pod disruption budgets allow.
PluginDescriptor PdbPlugin();

}  // namespace batholith
