#pragma once

#include <memory>

#include "framework/plugin.h"

namespace batholith {

// Time-division multiplexing: nodes of a revocable zone take batch pods while the zone is open.
std::unique_ptr<Plugin> MakeTdm(const PluginContext& context);

}  // namespace batholith
