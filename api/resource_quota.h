#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/objects.h"

namespace batholith {

// What the quota bounds: status.hard, or spec.hard where its controller has not seen it yet.
const ResourceList& HardOf(const ResourceQuotaRecord& quota);

// What the list has under the quota's name, with or without "requests.", in the quota's own unit.
std::optional<std::int64_t> AmountUnder(const ResourceList& list, const std::string& quota_name);

// Whether the quota counts the pod at all: every scope of it must hold. `priority_class` is the
// pod's, empty: none. A scope that is not known holds for nobody.
bool CountsPod(const ResourceQuotaRecord& quota, const PodRecord& pod,
               const std::string& priority_class);

// What counts pods, and not what they ask for.
bool CountsPods(const std::string& quota_name);

}  // namespace batholith
