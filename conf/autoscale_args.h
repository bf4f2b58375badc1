#pragma once

#include <span>

#include "conf/plugin_args.h"

namespace batholith {

// The arguments of action autoscale. Source: resource slack reference 4.3; what they mean together
// is for the action.
std::span<const ArgSpec> AutoscaleArgSpecs();

}  // namespace batholith
