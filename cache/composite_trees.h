#pragma once

#include <vector>

#include "cache/group_bundles.h"

namespace batholith {

// One bundle for each tree of composite groups: its record says whose it is and what each of the
// composite groups needs. A composite group of policy basic that asks for nothing binds nobody: of
// one above all others each part is a bundle, or a group, by itself. Cost: O(groups × depth).
std::vector<GroupBundle> BundlesOfComposites(const ClusterObjects& objects);

}  // namespace batholith
