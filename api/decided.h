#pragma once

#include <functional>
#include <string>

#include "api/cluster_objects.h"
#include "api/effect.h"

namespace batholith {

// The objects as they will stand once the session's statuses are written: phases and conditions of
// groups, nominations, labels of pods, marks of quotas, statuses of
// buffers. Binds and evictions are the caller's. False: the objects stood so before.
bool ApplyStatuses(const CycleResult& result, ClusterObjects& objects,
                   const std::function<PodRecord*(const std::string& key)>& find_pod);

}  // namespace batholith
