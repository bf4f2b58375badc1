#pragma once

#include <functional>
#include <string>
#include <vector>

#include "api/cluster_objects.h"
#include "api/effect.h"

namespace batholith {

// How the objects of a cluster are reached.
struct ObjectFinder {
  std::function<PodRecord*(const std::string& key)> pod;
  std::function<PodGroupRecord*(const std::string& identity)> group;
  std::function<std::vector<PodRecord*>()> nominated;  // pods that have a nomination
};

// For objects that nobody has an index of. Valid as long as nobody adds one. Cost: O(pods) and
// O(groups), each once where one of them is asked for.
ObjectFinder FinderIn(ClusterObjects& objects);

// What became different.
struct StatusChanges {
  std::vector<const PodRecord*> pods;
  std::vector<const PodGroupRecord*> groups;
  bool others = false;
  bool any() const { return others || !pods.empty() || !groups.empty(); }
};

// Gives the objects what they will say once the session's statuses are written: phases and
// conditions of groups, nominations, labels of pods, marks of quotas, statuses of buffers. Binds
// and evictions are the caller's.
StatusChanges ApplyStatuses(const CycleResult& result, ClusterObjects& objects,
                            const ObjectFinder& find);

}  // namespace batholith
