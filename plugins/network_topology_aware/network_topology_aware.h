#pragma once

#include "framework/plugin.h"

namespace batholith {

// Keeps the pods of a gang close to each other: inside one HyperNode where its networkTopology is
// hard, as close as can be had where it is soft. It says which domains there are and how good they
// are; action allocate searches them.
PluginDescriptor NetworkTopologyAwarePlugin();

}  // namespace batholith
