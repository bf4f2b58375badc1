#include "actions/autoscale/model/utilization.h"

#include "api/resource_schema.h"
#include "api/wide.h"

namespace batholith {
namespace {

constexpr std::int64_t kMillion = 1'000'000;

bool IsLess(const Utilization& a, const Utilization& b) {
  return static_cast<Wide>(a.used) * b.of < static_cast<Wide>(b.used) * a.of;
}

}  // namespace

Utilization UtilizationOf(const AutoscaleNode& node, std::span<const std::size_t> gpu_dimensions,
                          const ScaleDownConf& conf) {
  ResourceVector used = node.requested;
  if (conf.ignore_daemon_sets) used -= node.daemon_requested;
  if (conf.ignore_mirror_pods) used -= node.mirror_requested;
  Utilization highest;
  const auto look_at = [&](std::size_t r) {
    if (node.allocatable[r] <= 0) return;
    const Utilization one{.used = used[r], .of = node.allocatable[r], .gpu = highest.gpu};
    if (IsLess(highest, one)) highest = one;
  };
  for (const std::size_t r : gpu_dimensions) highest.gpu |= node.allocatable[r] > 0;
  if (highest.gpu) {
    for (const std::size_t r : gpu_dimensions) look_at(r);
  } else {
    look_at(ResourceSchema::kCpu);
    look_at(ResourceSchema::kMemory);
  }
  return highest;
}

bool IsUnderutilized(const Utilization& utilization, const ScaleDownConf& conf) {
  const std::int64_t threshold =
      utilization.gpu ? conf.gpu_utilization_threshold_ppm : conf.utilization_threshold_ppm;
  return static_cast<Wide>(utilization.used) * kMillion <=
         static_cast<Wide>(utilization.of) * threshold;
}

}  // namespace batholith
