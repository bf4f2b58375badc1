#pragma once

#include <vector>

#include "api/kind_use.h"
#include "framework/pipeline.h"

namespace batholith {

// What the actions of a conf read beside the kinds that every session reads: capacity buffers where
// `slack` uses them, MachineDeployments and Machines where `autoscale` is on and looks at them.
std::vector<KindUse> WantedKinds(const Pipeline& pipeline);

}  // namespace batholith
