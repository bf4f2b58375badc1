#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "api/cluster_objects.h"

namespace batholith::property {

// What the generator of random records lends to that of volumes.
struct RandomParts {
  std::function<std::int64_t(std::int64_t low, std::int64_t high)> number;
  std::function<std::string()> text;
  std::function<ObjectMeta(bool namespaced)> meta;
  std::function<std::optional<LabelSelector>()> selector;
  std::function<NodeSelectorTerm()> node_term;
};

// Adds records of all kinds that volumes come from, and volumes to the pods.
void AddRandomVolumes(const RandomParts& parts, ClusterObjects& objects);

}  // namespace batholith::property
