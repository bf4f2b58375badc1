#pragma once

#include "framework/plugin.h"

namespace batholith {

// Packs or spreads per resource, keeps pods off scarce devices and room beside idle ones (reference
// 2.21).
PluginDescriptor ResourceStrategyFitPlugin();

}  // namespace batholith
