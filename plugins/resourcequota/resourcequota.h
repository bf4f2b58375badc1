#pragma once

#include "framework/plugin.h"

namespace batholith {

// Admits jobs only as far as the quotas of their namespace allow.
PluginDescriptor ResourcequotaPlugin();

}  // namespace batholith
