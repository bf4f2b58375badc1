#pragma once

#include <memory>

#include "framework/plugin.h"

namespace batholith {

// Queues and the groups of nodes that they may use (reference 2.16).
std::unique_ptr<Plugin> MakeNodegroup(const PluginContext& context);

}  // namespace batholith
