#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "api/resource_schema.h"

namespace batholith {

struct GpuMemory {
  bool has_devices = false;  // asks for GPUs or slices; else what it asks for directly counts
  std::int64_t gb = 0;
};

// A MIG profile such as nvidia.com/mig-1g.10gb.
bool IsMigResource(std::string_view resource);
// GB of one slice of the profile. Nothing: the name has not exactly one part of the form <n>gb.
std::optional<std::int64_t> MigMemoryGb(std::string_view resource);

// GPU memory derived from a request (base units): gb_per_gpu for each nvidia.com/gpu, and what the
// names of its MIG slices say. `mps_slices`: nvidia.com/gpu-<n>gb counts n GB too. Source:
// reference 2.3.
GpuMemory GpuMemoryOf(const ResourceList& request, std::int64_t gb_per_gpu, bool mps_slices);

}  // namespace batholith
