#pragma once

#include <memory>

#include "framework/plugin.h"

namespace batholith {

// Packs or spreads per resource, keeps pods off scarce devices and room beside idle ones (reference
// 2.21).
std::unique_ptr<Plugin> MakeResourceStrategyFit(const PluginContext& context);

}  // namespace batholith
