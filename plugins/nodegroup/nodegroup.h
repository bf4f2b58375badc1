#pragma once

#include <memory>

#include "framework/plugin.h"

namespace batholith {

// Ties queues to groups of nodes by affinity, with limits per group (reference 2.16).
std::unique_ptr<Plugin> MakeNodegroup(const PluginContext& context);

}  // namespace batholith
