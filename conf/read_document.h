#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "api/result.h"
#include "codec/yaml/tree.h"

namespace batholith {

// No conf that means something comes near.
inline constexpr std::size_t kMaxConfBytes = std::size_t{1} << 20U;

// The one document of a conf; those that say nothing do not count. Errors: too large, no text, no
// YAML, no document or several.
Result<YamlTree> ReadConfDocument(std::string_view text, const std::string& file);

}  // namespace batholith
