#pragma once

#include <memory>

#include "framework/plugin.h"

namespace batholith {

// Filters nodes as kube-scheduler does: pod slots, cordons, readiness, node affinity, taints, host
// ports, pod affinity and topology spread (reference 2.10).
std::unique_ptr<Plugin> MakePredicates(const PluginContext& context);

}  // namespace batholith
