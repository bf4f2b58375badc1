#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "api/check.h"

// A target is one file, <name>_fuzz.cc: text in, objects out. Whatever the bytes are, it returns; a
// refusal is an answer, while a broken promise is a CHECK. libFuzzer calls it in the preset `fuzz`;
// everywhere else run_corpus.cc gives it the files of corpus/<name>.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace batholith::fuzz {

// What libFuzzer is to do with an input.
inline constexpr int kKeep = 0;
inline constexpr int kForget = -1;  // it is not this target's subject

inline std::string_view TextOf(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace batholith::fuzz
