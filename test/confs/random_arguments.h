#pragma once

#include <span>
#include <string>

#include "conf/plugin_args.h"
#include "test/confs/draws.h"

namespace batholith::property {

// Values for some of the arguments, as one flow mapping of YAML: "{}" where none is drawn.
// `percent`: how likely each is given.
std::string RandomArguments(std::span<const ArgSpec> specs, int percent, Draws& draws);

}  // namespace batholith::property
