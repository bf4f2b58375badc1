#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "api/resource_schema.h"

// GPU memory is a resource that quotas list and no node reports: it is made out of the GPUs and
// slices that a pod asks for.
namespace batholith {

inline constexpr std::string_view kGpuMemory = "nos.nebuly.com/gpu-memory";
inline constexpr std::string_view kOldGpuMemory = "n8s.nebuly.ai/gpu-memory";
bool IsGpuMemory(std::string_view resource);

// A slice of a GPU that NVIDIA's partitioning names: it holds "mig-1g.10gb".
bool IsMigSlice(std::string_view resource);
// Gigabytes of a slice by its name; nothing where the name is no slice's or has not exactly one
// size.
std::optional<std::int64_t> MigGigabytes(std::string_view resource);

struct GpuMemoryOptions {
  std::int64_t gpu_gigabytes = 16;  // of one nvidia.com/gpu; at least 1
  bool mps_slices = false;          // nvidia.com/gpu-10gb counts 10 GB
};

// Gigabytes × 1000, as a ResourceList counts them: of the GPUs and slices that are asked for; where
// there are none, what is asked for as gpu-memory, in either spelling. Cut off at 64 bits.
// Cost: O(names × length).
std::int64_t GpuMemoryOf(const ResourceList& request, const GpuMemoryOptions& options);

}  // namespace batholith
