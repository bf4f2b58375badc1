#pragma once

#include <span>

#include "framework/options/arguments.h"

namespace batholith {

// Which rules filter nodes.
struct PredicatesOptions {
  bool node_affinity = true;
  bool ports = true;
  bool taints = true;
  bool pod_affinity = true;
  bool spread = true;
};

std::span<const ArgumentSpec> PredicatesArguments();
std::span<const RetiredArgument> PredicatesRetired();
PredicatesOptions ReadPredicatesOptions(const Arguments& arguments);

}  // namespace batholith
