#pragma once

#include <cstdint>

#include "api/resource_schema.h"

namespace batholith {

// cpu, memory and, as the fourth dimension, gpu; no pod slots.
inline ResourceVector Of(std::int64_t cpu, std::int64_t memory = 0, std::int64_t gpu = 0) {
  ResourceVector v;
  v[ResourceSchema::kCpu] = cpu;
  v[ResourceSchema::kMemory] = memory;
  v[ResourceSchema::kPods + 1] = gpu;
  return v;
}

}  // namespace batholith
