#pragma once

#include <span>
#include <string>
#include <vector>

#include "framework/options/arguments.h"

namespace batholith {

struct BinpackOptions {
  struct Resource {
    std::string name;
    double weight = 1;
  };
  double weight = 1;  // of the whole score; 0: off
  double cpu = 1;
  double memory = 1;
  std::vector<Resource> resources = {};  // further ones that count
};

std::span<const ArgumentSpec> BinpackArguments();
BinpackOptions ReadBinpackOptions(const Arguments& arguments);

}  // namespace batholith
