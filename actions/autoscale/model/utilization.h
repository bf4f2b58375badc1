#pragma once

#include <cstdint>
#include <span>

#include "actions/autoscale/model/conf.h"
#include "actions/autoscale/model/input.h"

namespace batholith {

// Requests over allocatable as an exact fraction; 0/1 where nothing is asked for.
struct Utilization {
  std::int64_t used = 0;
  std::int64_t of = 1;
  bool gpu = false;  // of a GPU node's GPUs
};

// The larger of cpu and memory, on a GPU node the GPUs alone. Placeholders do not count.
Utilization UtilizationOf(const AutoscaleNode& node, std::span<const std::size_t> gpu_dimensions,
                          const ScaleDownConf& conf);

// Whether it is not above the threshold of its kind.
bool IsUnderutilized(const Utilization& utilization, const ScaleDownConf& conf);

}  // namespace batholith
