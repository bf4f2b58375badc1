#pragma once

#include <boost/json/value.hpp>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "api/result.h"

namespace batholith {

inline constexpr std::size_t kMaxManifestBytes = std::size_t{512} << 20U;

// Documents of a YAML or JSON text as JSON values; an empty document is a null. Plain scalars that
// are no null, boolean or 64-bit integer stay the text that was written, so that quantities survive
// exactly. Nothing is loaded of a text with an error: binary bytes, no YAML or JSON, a key that
// stands twice, deeper than 100, larger than 512 MB, aliases that expand, and what YamlReader
// refuses. Errors name file and line. Cost: O(text) in time and memory.
Result<std::vector<boost::json::value>> ParseDocuments(std::string_view text,
                                                       const std::string& file);

}  // namespace batholith
