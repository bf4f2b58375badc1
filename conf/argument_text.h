#pragma once

#include <string>
#include <string_view>

#include "framework/options/argument_spec.h"

namespace batholith {

// What a value must be, "a whole number", for messages and the reference.
std::string_view TypeText(ArgumentSpec::Type type);

// "from 0 to 100", "at least 1s". REQUIRES: the spec has a bound.
std::string RangeText(const ArgumentSpec& spec);

}  // namespace batholith
