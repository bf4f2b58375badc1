#pragma once

#include <span>

#include "framework/packing.h"

namespace batholith {

struct BinpackOptions {
  double weight = 1;  // of the whole score; 0: off
  PackingWeights resources;
};

std::span<const ArgumentSpec> BinpackArguments();
BinpackOptions ReadBinpackOptions(const Arguments& arguments);

}  // namespace batholith
