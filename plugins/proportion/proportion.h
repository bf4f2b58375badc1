#pragma once

#include <memory>

#include "framework/plugin.h"

namespace batholith {

// Queues share the cluster by weight (reference 2.5).
std::unique_ptr<Plugin> MakeProportion(const PluginContext& context);

}  // namespace batholith
