#pragma once

#include <string>
#include <vector>

#include "api/cluster_objects.h"
#include "framework/pipeline.h"

namespace batholith {

// What keeps the elastic quotas of a cluster from working under a conf, one sentence each, with
// what helps: no plugin that judges by them, no action that takes back, nothing that enforces
// Koordinator's runtime. Empty: nothing does. Cost: O(quotas).
std::vector<std::string> QuotaHints(const ClusterObjects& objects, const Pipeline& pipeline);

}  // namespace batholith
