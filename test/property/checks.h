#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "api/cluster_objects.h"

// What checks of a session's result are made of.
namespace batholith::property {

// A sentence for each violation.
using Problems = std::vector<std::string>;

inline void Append(Problems& all, Problems more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

using Pods = std::map<std::string, const PodRecord*>;

inline Pods PodsByKey(const ClusterObjects& objects) {
  Pods pods;
  for (const PodRecord& pod : objects.pods) pods.emplace(pod.meta.Key(), &pod);
  return pods;
}

// 0 of what is not in the list.
inline std::int64_t AmountOf(const ResourceList& list, const std::string& name) {
  const auto it = list.find(name);
  return it == list.end() ? 0 : it->second;
}

}  // namespace batholith::property
