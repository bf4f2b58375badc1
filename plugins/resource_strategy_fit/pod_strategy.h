#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace batholith {

// A pod's own weights, {"cpu": 2, "nvidia.com/gpu": 1}. Nothing when it is no JSON object of whole
// numbers: then the conf's weights hold. Weights below 1 count as 1.
std::optional<std::map<std::string, std::int64_t>> ParsePodWeights(const std::string& json);

}  // namespace batholith
