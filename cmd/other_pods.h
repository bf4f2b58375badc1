#pragma once

#include <string>
#include <vector>

#include "api/cluster_objects.h"

namespace batholith {

// The pods of one scheduler name that is not ours.
struct OtherPods {
  std::string scheduler;
  std::size_t pods = 0;
  std::vector<std::string> waiting = {};  // keys of those without a place
};

// By name of the scheduler. Pods that have ended, and those of a node's own, count nowhere.
std::vector<OtherPods> PodsOfOthers(const ClusterObjects& objects,
                                    const std::vector<std::string>& ours);

// One line for each name: how many pods, how many of them wait and which, and of a name near to one
// of ours "did you mean". Empty: there are none.
std::string OtherPodsText(const std::vector<OtherPods>& others,
                          const std::vector<std::string>& ours);

}  // namespace batholith
