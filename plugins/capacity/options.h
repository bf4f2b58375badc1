#pragma once

#include <cstddef>
#include <span>

#include "framework/options/arguments.h"

namespace batholith {

struct CapacityOptions {
  std::size_t ancestor_reclaim_level = 0;  // ancestors that have a say when a queue reclaims
};

std::span<const ArgumentSpec> CapacityArguments();
CapacityOptions ReadCapacityOptions(const Arguments& arguments);

}  // namespace batholith
