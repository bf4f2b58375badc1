#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "api/objects.h"

namespace batholith {

inline constexpr const char* kActiveCapacity = "buffer.x-k8s.io/active-capacity";
inline constexpr const char* kReadyForProvisioning = "ReadyForProvisioning";

struct ScalableReference {
  std::string api_group;  // empty: core
  std::string kind;
  std::string name;
  bool operator==(const ScalableReference&) const = default;
};

// autoscaling.x-k8s.io CapacityBuffer: room for more pods of a template, or of what a workload
// runs. Source: the CapacityBuffer CRD of Kubernetes' Cluster Autoscaler.
struct CapacityBufferRecord {
  ObjectMeta meta;
  std::int64_t generation = 0;
  std::string strategy;      // empty: the default, kActiveCapacity
  std::string pod_template;  // a PodTemplate of the namespace; empty: none
  std::optional<ScalableReference> scalable;
  std::optional<std::int32_t> replicas;
  std::optional<std::int32_t> percentage;
  ResourceList limits;
  std::optional<std::int32_t> status_replicas;
  std::vector<JobCondition> conditions;
  std::int64_t observed_generation = 0;  // of condition ReadyForProvisioning
  bool operator==(const CapacityBufferRecord&) const = default;
};

// A strategy of ours; any other one belongs to somebody else.
inline bool IsActiveCapacity(const CapacityBufferRecord& buffer) {
  return buffer.strategy.empty() || buffer.strategy == kActiveCapacity;
}

// The order in which buffers are served: by age, then by name.
inline bool IsServedBefore(const CapacityBufferRecord& a, const CapacityBufferRecord& b) {
  return std::tie(a.meta.creation, a.meta.name, a.meta.namespace_) <
         std::tie(b.meta.creation, b.meta.name, b.meta.namespace_);
}

// What the status of a buffer should be.
struct BufferStatus {
  std::string name;                      // namespace/name
  std::optional<std::int32_t> replicas;  // chunks, within limits and quotas; none: not known
  std::vector<JobCondition> conditions;  // all of them, also those of other controllers
  std::int64_t observed_generation = 0;
  bool operator==(const BufferStatus&) const = default;
};

// core/v1 PodTemplate.
struct PodTemplateRecord {
  ObjectMeta meta;
  std::int64_t generation = 0;
  PodRecord pod;
  bool operator==(const PodTemplateRecord&) const = default;
};

// A workload with a number of equal pods: Deployment, ReplicaSet, StatefulSet, Job,
// ReplicationController.
struct ScalableRecord {
  ObjectMeta meta;
  std::string api_group;
  std::string kind;
  std::int32_t replicas = 0;
  std::optional<LabelSelector> selector;
  std::optional<PodRecord> pod;  // its template
  std::string Identity() const { return kind + "." + api_group + "/" + meta.Key(); }
  bool operator==(const ScalableRecord&) const = default;
};

}  // namespace batholith
