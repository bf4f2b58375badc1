#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "framework/options/arguments.h"

namespace batholith {

struct FitStrategy {
  bool most = false;  // MostAllocated, else LeastAllocated
  std::int64_t weight = 1;
};

struct ResourceStrategyFitOptions {
  // The strategy of a resource: by its name, else by the longest `prefix*`; nullptr: does not
  // count.
  const FitStrategy* Find(const std::string& resource) const;

  struct Device {
    std::string name;
    double weight = 1;           // scarce resource avoidance
    double cpu = 1, memory = 1;  // proportional: kept for each idle device
  };

  std::int64_t weight = 0;
  std::map<std::string, FitStrategy> exact;
  std::map<std::string, FitStrategy> prefixes;
  double sra_weight = 0;  // 0: off
  std::vector<Device> sra;
  std::vector<Device> proportional;  // empty: off
};

std::span<const ArgumentSpec> ResourceStrategyFitArguments();
ResourceStrategyFitOptions ReadResourceStrategyFitOptions(const Arguments& arguments);

}  // namespace batholith
