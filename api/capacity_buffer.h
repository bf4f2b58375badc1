#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/objects.h"

namespace batholith {

inline constexpr const char* kActiveCapacity = "buffer.x-k8s.io/active-capacity";

struct ScalableReference {
  std::string api_group;  // empty: core
  std::string kind;
  std::string name;
  bool operator==(const ScalableReference&) const = default;
};

// autoscaling.x-k8s.io CapacityBuffer: room for more pods of a template, or of what a workload runs.
// Source: resource slack reference 2.5.
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
  bool operator==(const CapacityBufferRecord&) const = default;
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
