#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace batholith::fuzz {

struct Target {
  std::string_view name;
  int (*run)(const std::uint8_t* data, std::size_t size);
};

// All of them. CMake writes the list, in a build without libFuzzer.
std::span<const Target> Targets();

}  // namespace batholith::fuzz
