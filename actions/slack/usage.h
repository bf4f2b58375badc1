#pragma once

#include <vector>

#include "actions/slack/model/shape.h"
#include "framework/session.h"

namespace batholith {

// What the real pods of a session ask for, in the units of slack. Source: resource slack reference
// 1.5.
struct PodUsage {
  Shape requested;            // of pods with a place that stay, without those of each node
  std::vector<Shape> shapes;  // of pods that room is kept for, each once, in class order
};

// Cost: O(tasks).
PodUsage MeasurePods(const Session& session);

// Memory rounded down, and up.
Shape NodeShape(const ResourceVector& amounts);
Shape PodShape(const ResourceVector& amounts);
ResourceVector ToVector(const Shape& shape);

}  // namespace batholith
