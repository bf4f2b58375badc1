#include "test/actions/slack/vectors.h"

#include <filesystem>
#include <stdexcept>

#include "api/resource_schema.h"
#include "test/vectors_folder.h"

namespace batholith {
namespace {

std::filesystem::path File() { return VectorsFolder() / "slack.yaml"; }

}  // namespace

bool HasSlackVectors() { return std::filesystem::exists(File()); }

YAML::Node SlackVectors(const std::string& section) {
  static const YAML::Node file = YAML::LoadFile(File());
  const YAML::Node part = file[section];
  if (!part || part.size() == 0) throw std::invalid_argument("no vectors under " + section);
  return part;
}

Shape ShapeOf(const YAML::Node& pair) {
  if (pair.IsSequence()) return {pair[0].as<std::int64_t>(), pair[1].as<std::int64_t>()};
  return {pair["cpu_m"].as<std::int64_t>(), pair["mem_mib"].as<std::int64_t>()};
}

std::vector<Shape> ShapesOf(const YAML::Node& list) {
  std::vector<Shape> out;
  for (const YAML::Node& pair : list) out.push_back(ShapeOf(pair));
  return out;
}

ResourceVector VectorOf(const Shape& shape) {
  ResourceVector v;
  v[ResourceSchema::kCpu] = shape.cpu_m;
  v[ResourceSchema::kMemory] = shape.mem_mib;
  return v;
}

}  // namespace batholith
