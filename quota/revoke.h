#pragma once

#include <span>
#include <vector>

#include "quota/forest.h"

namespace batholith {

// Which pods of a quota that is beyond its limit leave. `pods`: those that may, less important
// first. Those that give back something of what is over are taken off until used fits; if it never
// does, all of these leave, in that order.
// Else as many as can be are put back, the most important first, and those that cannot leave, in
// the order of that pass. Returns positions in `pods`. Source: Koordinator's
// quota overuse revoke controller.
std::vector<std::size_t> PlanRevocation(ResourceVector used, const ResourceLimits& limit,
                                        std::uint32_t looked, std::size_t dimensions,
                                        std::span<const QuotaPod* const> pods);

}  // namespace batholith
