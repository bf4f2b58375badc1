#pragma once

#include <string>

#include "api/result.h"
#include "codec/yaml/tree.h"
#include "framework/options/conf_value.h"

namespace batholith {

// The arguments of `owner` ("plugin binpack") with everything below them; nothing written is no
// arguments. Errors: no mapping, or inside it a key that is no text or stands twice.
Result<ConfValue> ReadArguments(const YamlNode& node, const std::string& owner,
                                const std::string& file);

}  // namespace batholith
