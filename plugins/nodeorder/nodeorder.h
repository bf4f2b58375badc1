#pragma once

#include "framework/plugin.h"

namespace batholith {

// Scores nodes as kube-scheduler does, each part with its weight. Source: kube-scheduler's score
// plugins.
PluginDescriptor NodeorderPlugin();

}  // namespace batholith
