#pragma once

#include <memory>

#include "framework/plugin.h"

namespace batholith {

// Prefers the node that would be fullest (reference 2.12).
std::unique_ptr<Plugin> MakeBinpack(const PluginContext& context);

}  // namespace batholith
