#pragma once

#include <map>
#include <optional>
#include <string>

#include "api/resource_schema.h"

namespace batholith {

using GroupLimits = std::map<std::string, ResourceList>;

// The annotation volcano.sh/nodegroup-resource-limits: group → resource list. Nothing when it
// cannot be read.
std::optional<GroupLimits> ParseGroupLimits(const std::string& json);

}  // namespace batholith
