#pragma once

#include "framework/plugin.h"

namespace batholith {

// All or nothing: a job starts with its minimum and is not cut below it.
PluginDescriptor GangPlugin();

}  // namespace batholith
