#pragma once

#include <span>
#include <string>

#include "framework/options/argument_spec.h"
#include "test/property/draws.h"

namespace batholith::property {

// Values for some of the arguments, as one flow mapping of YAML: "{}" where none is drawn.
// `percent`: how likely each is given.
std::string RandomArguments(std::span<const ArgumentSpec> specs, int percent, Draws& draws);

}  // namespace batholith::property
