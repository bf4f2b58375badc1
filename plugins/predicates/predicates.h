#pragma once

#include "framework/plugin.h"

namespace batholith {

// Filters nodes as kube-scheduler does: pod slots, cordons, readiness, node affinity, taints, host
// ports, pod affinity and topology spread. Source: kube-scheduler's filter plugins.
PluginDescriptor PredicatesPlugin();

}  // namespace batholith
