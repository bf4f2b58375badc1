#pragma once

#include <map>
#include <string>

#include "api/resource_schema.h"
#include "api/result.h"

namespace batholith {

// Node group → most that a queue may hold there, of the resources that are named.
using GroupLimits = std::map<std::string, ResourceList, std::less<>>;

// Reads the annotation volcano.sh/nodegroup-resource-limits: {"group": {"cpu": "3"}}. Errors: no
// JSON of this shape, no quantity.
Result<GroupLimits> ParseGroupLimits(const std::string& json);

}  // namespace batholith
