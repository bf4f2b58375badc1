#pragma once

#include <map>
#include <string>
#include <vector>

#include "api/objects.h"
#include "cmd/kube_api.h"

namespace batholith {

// A pod as `explain` needs it: the object and what the scheduler reads of it.
struct SeenPod {
  boost::json::value object;
  PodRecord record;
};

// The pods of a namespace (empty: of all), by name; those that cannot be read are told of on
// standard error. Errors: of the list.
Result<std::vector<SeenPod>> PodsIn(ClusterApi& api, const std::string& namespace_);

// How many pod groups are in each phase, by queue.
using GroupCounts = std::map<std::string, std::map<std::string, int>>;
GroupCounts CountGroups(const Objects& groups);

// Neither placed nor over.
bool IsWaiting(const SeenPod& pod);

// Why pods wait: one line for each reason, the most common first, with how many and a name.
// "  3 pods (ns/a, ns/b, …): 0/3 nodes are available: 3 Insufficient cpu".
std::string WhyWaiting(const std::vector<const SeenPod*>& pods);

}  // namespace batholith
