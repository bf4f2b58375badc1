#pragma once

#include <span>
#include <string>
#include <vector>

#include "framework/options/arguments.h"

namespace batholith {

struct NodelabelOptions {
  std::vector<std::string> present;  // keys that a node must have
  std::vector<std::string> absent;   // keys that it must not have
};

std::span<const ArgumentSpec> NodelabelArguments();
NodelabelOptions ReadNodelabelOptions(const Arguments& arguments);

}  // namespace batholith
