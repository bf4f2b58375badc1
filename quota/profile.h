#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/cluster_objects.h"

// Root quotas of trees, made by Koordinator's ElasticQuotaProfile objects.
namespace batholith {

// amount × ratio, truncated to what a resource is counted in: cpu in millicores, all else in whole
// units. `ratio` is a decimal number as text; outside 0 < r <= 1, or none at all, it counts as 1.
std::int64_t ScaleByRatio(std::int64_t amount, std::string_view resource, std::string_view ratio);

// The tree of a profile that names none: FNV-1a of "namespace/name" in 64 bits, as a decimal
// number.
std::string TreeIdOf(const ElasticQuotaProfileRecord& profile);

// The quota that a profile makes out of all nodes that it selects, also those that are cordoned or
// not ready; `existing`, or nullptr, is the quota as it is: its other labels and annotations stay.
ElasticQuotaRecord RootQuotaOf(const ElasticQuotaProfileRecord& profile,
                               const std::vector<NodeRecord>& nodes,
                               const ElasticQuotaRecord* existing);

// The quotas of a cluster after each profile, in the order of the input, has made its own.
// Cost: O(quotas + profiles × nodes).
std::vector<ElasticQuotaRecord> ApplyProfiles(const ClusterObjects& objects);

}  // namespace batholith
