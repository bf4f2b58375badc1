#pragma once

#include "framework/plugin.h"

namespace batholith {

// Cooldown protection: a pod that has just been scheduled is no victim.
PluginDescriptor CdpPlugin();

}  // namespace batholith
