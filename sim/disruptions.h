#pragma once

#include <map>
#include <string>

#include "api/cluster_objects.h"

namespace batholith {

// What disruption budgets still allow, as their controller keeps it: a pod that is evicted uses one
// up, and one that runs in its place gives it back.
class Disruptions {
 public:
  void OnEvicted(const PodRecord& pod, ClusterObjects& objects);
  void OnReplaced(const PodRecord& pod, ClusterObjects& objects);

 private:
  std::map<std::string, int, std::less<>> beyond_;  // by budget: so many more than it allowed
};

}  // namespace batholith
