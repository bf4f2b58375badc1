#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "api/result.h"
#include "codec/yaml/tree.h"

namespace batholith {

// No conf that means something comes near.
inline constexpr std::size_t kMaxConfBytes = std::size_t{1} << 20U;

struct ConfDocument {
  YamlTree tree;
  std::string name;  // for messages: of the file, and of the key of a ConfigMap in it
};

// The one document of a conf; those that say nothing do not count. Of a ConfigMap it is the text of
// the only key, or of the only one that ends in .conf. Errors: too large, no text, no YAML, no
// document or several; a ConfigMap that leaves open which key is meant.
Result<ConfDocument> ReadConfDocument(std::string_view text, const std::string& file);

}  // namespace batholith
