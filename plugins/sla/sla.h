#pragma once

#include "framework/plugin.h"

namespace batholith {

// Jobs with a waiting time go by their deadline, and are let in when it has passed.
PluginDescriptor SlaPlugin();

}  // namespace batholith
