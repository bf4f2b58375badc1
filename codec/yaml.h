#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "api/result.h"

namespace batholith {

// Documents of a YAML or JSON text as JSON values. Plain scalars that are no null, boolean or
// 64-bit integer stay the text that was written, so that quantities survive exactly. A scan of
// size, depth and bytes runs before any library. Errors name the file: binary bytes, no YAML or
// JSON, deeper than 100, larger than 512 MB, aliases that expand.
Result<std::vector<boost::json::value>> ParseDocuments(std::string_view text,
                                                       const std::string& file);

}  // namespace batholith
