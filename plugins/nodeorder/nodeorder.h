#pragma once

#include <memory>

#include "framework/plugin.h"

namespace batholith {

// kube-scheduler's scores, each times its weight (reference 2.11).
std::unique_ptr<Plugin> MakeNodeorder(const PluginContext& context);

}  // namespace batholith
