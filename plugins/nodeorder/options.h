#pragma once

#include <cstdint>
#include <span>

#include "framework/options/arguments.h"

namespace batholith {

// Weights of the parts of the score; 0: the part is off.
struct NodeorderOptions {
  std::int64_t least = 1;
  std::int64_t most = 0;
  std::int64_t node_affinity = 2;
  std::int64_t pod_affinity = 2;
  std::int64_t balanced = 1;
  std::int64_t taints = 3;
  std::int64_t images = 1;
  std::int64_t spread = 2;
};

std::span<const ArgumentSpec> NodeorderArguments();
std::span<const RetiredArgument> NodeorderRetired();
NodeorderOptions ReadNodeorderOptions(const Arguments& arguments);

}  // namespace batholith
