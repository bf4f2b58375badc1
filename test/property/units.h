#pragma once

#include <cstdint>

#include "api/objects.h"

namespace batholith::property {

inline constexpr TimeNs kSecond = 1'000'000'000;
inline constexpr std::int64_t kGibibyte = std::int64_t{1} << 30;
inline constexpr const char* kGpu = "nvidia.com/gpu";
inline constexpr const char* kZone = "topology.kubernetes.io/zone";
inline constexpr const char* kHost = "kubernetes.io/hostname";

}  // namespace batholith::property
