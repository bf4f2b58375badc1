#pragma once

#include <memory>

#include "framework/plugin.h"

namespace batholith {

// Admits jobs up to a multiple of what the cluster has.
std::unique_ptr<Plugin> MakeOvercommit(const PluginContext& context);

}  // namespace batholith
