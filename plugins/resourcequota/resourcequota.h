#pragma once

#include <memory>

#include "framework/plugin.h"

namespace batholith {

// Admits jobs only as far as the quotas of their namespace allow.
std::unique_ptr<Plugin> MakeResourcequota(const PluginContext& context);

}  // namespace batholith
