#include "plugins/resource_strategy_fit/pod_strategy.h"

#include <algorithm>

#include "codec/json/field.h"
#include "codec/json/parse.h"

namespace batholith {

std::optional<std::map<std::string, std::int64_t>> ParsePodWeights(const std::string& json) {
  constexpr std::int64_t kMost = 1'000'000'000;
  const auto value = ParseJsonValue(json);
  if (!value) return std::nullopt;
  const Field all = Field::Glance(*value);
  if (!all.is_object()) return std::nullopt;
  std::map<std::string, std::int64_t> weights;
  for (const auto& [name, weight] : all.Entries()) {
    if (!weight.is_int()) return std::nullopt;
    weights[name] = std::clamp<std::int64_t>(weight.Int(1, INT64_MIN, INT64_MAX), 1, kMost);
  }
  return weights;
}

}  // namespace batholith
