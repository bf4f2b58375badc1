#pragma once

#include <span>
#include <string>
#include <vector>

#include "framework/options/arguments.h"

namespace batholith {

struct NetworkTopologyOptions {
  struct Resource {
    std::string name;
    double weight = 1;
  };
  double weight = 1;  // of all its scores
  double cpu = 1;
  double memory = 1;
  std::vector<Resource> resources = {};  // further ones that count
  bool normal_pods = true;               // pods without a topology are scored too
  double fading = 0.8;                   // of each further tier, for these
  // Labels of nodes that make domains where there are no HyperNodes, from wide to close.
  std::vector<std::string> label_keys = {};
};

std::span<const ArgumentSpec> NetworkTopologyArguments();
NetworkTopologyOptions ReadNetworkTopologyOptions(const Arguments& arguments);

}  // namespace batholith
