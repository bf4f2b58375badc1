#pragma once

#include <yaml-cpp/yaml.h>

#include <string>
#include <vector>

#include "actions/slack/model/shape.h"
#include "api/resource_vector.h"

// The slack vectors that lie beside the project (../shared/vectors/slack.yaml, or
// $BATHOLITH_SHARED/vectors).
namespace batholith {

// Whether the file is there; tests of vectors are skipped where it is not.
bool HasSlackVectors();

// A part of the file. One that is not there, or empty, is an exception: the test that asked for it
// would test nothing.
YAML::Node SlackVectors(const std::string& section);

// Each node of the story, and of most clusters.
inline constexpr Shape kNode{4000, 16384};

// [cpu_m, mem_mib], or {cpu_m, mem_mib}.
Shape ShapeOf(const YAML::Node& pair);
std::vector<Shape> ShapesOf(const YAML::Node& list);
// The same, memory in MiB, with nothing on the other dimensions.
ResourceVector VectorOf(const Shape& shape);

}  // namespace batholith
