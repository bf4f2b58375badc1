#pragma once

#include <span>

#include "framework/options/arguments.h"

namespace batholith {

struct OvercommitOptions {
  double factor = 1.2;  // jobs are admitted up to this multiple of the cluster; at least 1
};

std::span<const ArgumentSpec> OvercommitArguments();
OvercommitOptions ReadOvercommitOptions(const Arguments& arguments);

}  // namespace batholith
