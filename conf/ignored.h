#pragma once

#include <string>

#include "api/placement_need.h"
#include "conf/yaml_entries.h"

namespace batholith {

// Reads `ignore`, a list of names, or one text of them, of what this build does not do and pods are
// not to wait for. Errors: a name that is unknown.
Result<void> ReadIgnored(const YamlEntry& entry, const std::string& file,
                         PlacementNeedSet& ignored);

}  // namespace batholith
