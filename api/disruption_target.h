#pragma once

#include <string_view>

namespace batholith {

// The condition that tells of a pod, or of a group that falls whole, that it is evicted. Source:
// Kubernetes' API, PodDisruptionTarget and PodGroupDisruptionTarget.
constexpr std::string_view kDisruptionTarget = "DisruptionTarget";
constexpr std::string_view kPreemptionByScheduler = "PreemptionByScheduler";

}  // namespace batholith
