#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/objects.h"

namespace batholith {

// scheduling.k8s.io CompositePodGroup: groups of pods, or composite groups, that start together.
struct CompositePodGroupRecord {
  ObjectMeta meta;
  std::int32_t min_groups = 0;  // 0: policy basic, each for itself
  std::string parent;           // name of the composite group that it is a part of; empty: none
  std::string priority_class;
  std::optional<std::int32_t> priority;             // goes before that of its class
  bool falls_whole = false;                         // of its pods all are evicted, or none
  std::optional<NetworkTopology> network_topology;  // of all of its groups together
  Shared<PlacementNeeds> needs;  // of the places of its pods, which this build does not do
  bool operator==(const CompositePodGroupRecord&) const = default;
};

}  // namespace batholith
