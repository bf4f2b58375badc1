#pragma once

#include <memory>

#include "framework/plugin.h"

namespace batholith {

// Cooldown protection: a pod that has just been scheduled is no victim.
std::unique_ptr<Plugin> MakeCdp(const PluginContext& context);

}  // namespace batholith
