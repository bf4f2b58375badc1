#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "framework/options/arguments.h"

namespace batholith {

struct TdmOptions {
  // Each day from `start` to `end`, in seconds since midnight.
  struct Zone {
    std::string name;
    std::string hours;  // as written
    std::int64_t start = 0;
    std::int64_t end = 0;
  };
  std::vector<Zone> zones;  // by name
};

std::span<const ArgumentSpec> TdmArguments();
TdmOptions ReadTdmOptions(const Arguments& arguments);

}  // namespace batholith
