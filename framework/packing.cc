#include "framework/packing.h"

#include <algorithm>
#include <utility>

namespace batholith {

PackingWeights ReadPackingWeights(const Arguments& arguments, const std::string& prefix) {
  const auto weight = [&](const std::string& name) {
    return static_cast<double>(arguments.Int(prefix + name));
  };
  PackingWeights out{weight("cpu"), weight("memory")};
  for (std::string& name : arguments.List(prefix + "resources")) {
    const double of_resource = weight("resources." + name);
    out.resources.push_back({std::move(name), of_resource});
  }
  return out;
}

PackingScore::PackingScore(const PackingWeights& weights, const ResourceSchema& schema) {
  parts_.push_back({ResourceSchema::kCpu, weights.cpu});
  parts_.push_back({ResourceSchema::kMemory, weights.memory});
  for (const auto& [name, weight] : weights.resources) {
    const auto r = schema.Find(name);
    if (!r || *r <= ResourceSchema::kMemory) continue;
    if (std::ranges::find(parts_, *r, &Part::resource) == parts_.end())
      parts_.push_back({*r, weight});
  }
}

double PackingScore::Of(const ResourceVector& request, ResourceRow used, ResourceRow allocatable,
                        Missing missing) const {
  double sum = 0;
  double weights = 0;
  for (const Part& part : parts_) {
    const std::int64_t asked = request[part.resource];
    if (asked == 0) continue;
    weights += part.weight;
    const std::int64_t capacity = allocatable[part.resource];
    if (missing == Missing::kEmpty && (capacity == 0 || part.weight == 0)) continue;
    const std::int64_t with = ResourceVector::AddSaturating(used[part.resource], asked);
    if (capacity == 0 || with > capacity) return 0;
    sum += static_cast<double>(with) * part.weight / static_cast<double>(capacity);
  }
  return weights > 0 ? sum / weights : 0;
}

}  // namespace batholith
