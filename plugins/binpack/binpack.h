#pragma once

#include <memory>

#include "framework/plugin.h"

namespace batholith {

// Prefers nodes that are full (reference 2.12).
std::unique_ptr<Plugin> MakeBinpack(const PluginContext& context);

}  // namespace batholith
