#include "actions/autoscale/model/node_group.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "api/resource_schema.h"
#include "api/wide.h"

namespace batholith {
namespace {

constexpr std::int64_t kPerMille = 1000;

bool Within(std::int64_t a, std::int64_t b, std::int64_t per_mille) {
  const Wide difference = a > b ? static_cast<Wide>(a) - b : static_cast<Wide>(b) - a;
  return difference * kPerMille <= static_cast<Wide>(std::max(a, b)) * per_mille;
}

bool AllWithin(const ResourceVector& a, const ResourceVector& b, std::int64_t per_mille) {
  for (std::size_t r = 0; r < ResourceVector::kMaxDimensions; ++r) {
    if (!Within(a[r], b[r], per_mille)) return false;
  }
  return true;
}

bool TellsThePlace(std::string_view label) {
  return label == "kubernetes.io/hostname" || label == "topology.kubernetes.io/zone" ||
         label == "topology.kubernetes.io/region" ||
         label == "failure-domain.beta.kubernetes.io/zone" ||
         label == "failure-domain.beta.kubernetes.io/region";
}

Labels WithoutPlace(Labels labels) {
  std::erase_if(labels, [](const auto& label) { return TellsThePlace(label.first); });
  return labels;
}

}  // namespace

ScaleReason GroupProblem(const NodeGroup& group) {
  if (group.min < 0 || group.max < 1 || group.max < group.min) return ScaleReason::kInvalidBounds;
  if (!group.paused.empty()) return ScaleReason::kPaused;
  if (!group.node_template) return ScaleReason::kNoTemplate;
  return ScaleReason::kNone;
}

bool AreSimilar(const NodeTemplate& a, const NodeTemplate& b) {
  for (std::size_t r = 0; r < ResourceVector::kMaxDimensions; ++r) {
    const std::int64_t allowed = r == ResourceSchema::kMemory ? 15 : 0;
    if (!Within(a.capacity[r], b.capacity[r], allowed)) return false;
  }
  return AllWithin(a.allocatable, b.allocatable, 50) && AllWithin(a.usable, b.usable, 50) &&
         WithoutPlace(a.labels) == WithoutPlace(b.labels);
}

}  // namespace batholith
