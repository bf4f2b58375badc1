#pragma once

#include "framework/plugin.h"

namespace batholith {

// Pods the cluster itself needs are no victims.
PluginDescriptor ConformancePlugin();

}  // namespace batholith
