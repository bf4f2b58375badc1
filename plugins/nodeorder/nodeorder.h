#pragma once

#include <memory>

#include "framework/plugin.h"

namespace batholith {

// Scores nodes as kube-scheduler does, each part with its weight (reference 2.11).
std::unique_ptr<Plugin> MakeNodeorder(const PluginContext& context);

}  // namespace batholith
