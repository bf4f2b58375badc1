#pragma once

#include <memory>

#include "framework/plugin.h"

namespace batholith {

// kube-scheduler's filters (reference 2.10), each with its argument to switch it off.
std::unique_ptr<Plugin> MakePredicates(const PluginContext& context);

}  // namespace batholith
