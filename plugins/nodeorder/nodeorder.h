#pragma once

#include "framework/plugin.h"

namespace batholith {

// Scores nodes as kube-scheduler does, each part with its weight (reference 2.11).
PluginDescriptor NodeorderPlugin();

}  // namespace batholith
