#pragma once

#include <span>

#include "framework/options/arguments.h"

namespace batholith {

struct NodegroupOptions {
  bool strict = true;            // nodes without a group are for nobody
  bool preferred_order = false;  // earlier preferred groups score higher
};

std::span<const ArgumentSpec> NodegroupArguments();
NodegroupOptions ReadNodegroupOptions(const Arguments& arguments);

}  // namespace batholith
