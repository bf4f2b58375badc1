#pragma once

#include <string>
#include <vector>

#include "api/objects.h"

namespace batholith {

// The annotations of a queue that put it into the tree of hierarchical DRF: "root/science/dev", and
// the weights of its parts: "1/2/4".
inline constexpr const char* kHierarchyAnnotation = "volcano.sh/hierarchy";
inline constexpr const char* kHierarchyWeightsAnnotation = "volcano.sh/hierarchy-weights";

// A part of the tree on the way from below the root to a queue.
struct HierarchyStep {
  std::string name;
  double weight = 1;
};
// Where the annotations put a queue; empty: at the root.
std::vector<HierarchyStep> HierarchyPath(const Labels& annotations);

}  // namespace batholith
