#pragma once

#include "framework/plugin.h"

namespace batholith {

// Nodes must carry labels. Source: the policy NodeLabel of kube-scheduler before its plugins.
PluginDescriptor NodelabelPlugin();

}  // namespace batholith
