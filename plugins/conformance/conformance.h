#pragma once

#include <memory>

#include "framework/plugin.h"

namespace batholith {

// Pods the cluster itself needs are no victims.
std::unique_ptr<Plugin> MakeConformance(const PluginContext& context);

}  // namespace batholith
