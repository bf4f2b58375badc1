#pragma once

#include <span>

#include "framework/options/arguments.h"
#include "volumes/pod_needs.h"

namespace batholith {

// Which rules filter nodes.
struct PredicatesOptions {
  bool node_affinity = true;
  bool ports = true;
  bool taints = true;
  bool pod_affinity = true;
  bool spread = true;
  VolumeRules volumes;
};

std::span<const ArgumentSpec> PredicatesArguments();
std::span<const RetiredArgument> PredicatesRetired();
PredicatesOptions ReadPredicatesOptions(const Arguments& arguments);

}  // namespace batholith
