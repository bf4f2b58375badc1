#pragma once

#include <span>
#include <string>
#include <vector>

#include "framework/packing.h"

namespace batholith {

struct NetworkTopologyOptions {
  double weight = 1;  // of all its scores
  PackingWeights resources;
  bool normal_pods = true;  // pods without a topology are scored too
  double fading = 0.8;      // of each further tier, for these
  // Labels of nodes that make domains where there are no HyperNodes, from wide to close.
  std::vector<std::string> label_keys = {};
};

std::span<const ArgumentSpec> NetworkTopologyArguments();
NetworkTopologyOptions ReadNetworkTopologyOptions(const Arguments& arguments);

}  // namespace batholith
