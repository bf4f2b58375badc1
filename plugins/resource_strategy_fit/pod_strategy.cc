#include "plugins/resource_strategy_fit/pod_strategy.h"

#include <algorithm>
#include <boost/json.hpp>

namespace batholith {

std::optional<std::map<std::string, std::int64_t>> ParsePodWeights(const std::string& json) {
  constexpr std::int64_t kMost = 1'000'000'000;
  boost::system::error_code error;
  const boost::json::value value = boost::json::parse(json, error);
  if (error || !value.is_object()) return std::nullopt;
  std::map<std::string, std::int64_t> weights;
  for (const auto& [name, weight] : value.get_object()) {
    if (!weight.is_int64()) return std::nullopt;
    weights[std::string(name)] = std::clamp<std::int64_t>(weight.get_int64(), 1, kMost);
  }
  return weights;
}

}  // namespace batholith
