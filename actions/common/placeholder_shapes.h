#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "api/snapshot.h"

namespace batholith {

// The placeholders of one source of the session's slack report.
struct PlaceholderShape {
  ResourceVector size;
  TaskIndex sample;  // a pod that they are like; none: no constraints
  // Labels of nodes that would not help them: their spread lets no more come there.
  std::set<std::pair<std::string, std::string>> closed = {};
};

// What slack leaves for autoscale: of the sources of the report, in their order.
struct PlaceholderShapes {
  std::vector<PlaceholderShape> sources;
};

}  // namespace batholith
