#pragma once

#include <string>
#include <vector>

#include "api/cluster_objects.h"

namespace batholith {

// The first record in which two clusters differ, as `Kind ns/name`; empty where they are equal in
// every field and in the order of records. Constraints count by value.
inline std::string FirstDifference(const ClusterObjects& a, const ClusterObjects& b) {
  std::string first;
  const auto compare = [&](const char* kind, const auto& here, const auto& there, auto equal) {
    if (!first.empty()) return;
    if (here.size() != there.size()) first = std::string("number of ") + kind;
    for (std::size_t i = 0; i < here.size() && first.empty(); ++i) {
      if (!equal(here[i], there[i])) first = kind + (" " + here[i].meta.Key());
    }
  };
  const auto equal = [](const auto& x, const auto& y) { return x == y; };
  compare("Node", a.nodes, b.nodes, equal);
  compare("Pod", a.pods, b.pods, [](const PodRecord& x, PodRecord y) {
    if (*x.constraints != *y.constraints) return false;
    y.constraints = x.constraints;
    return x == y;
  });
  compare("PodGroup", a.pod_groups, b.pod_groups, equal);
  compare("Queue", a.queues, b.queues, equal);
  compare("Namespace", a.namespaces, b.namespaces, equal);
  compare("ResourceQuota", a.resource_quotas, b.resource_quotas, equal);
  compare("PriorityClass", a.priority_classes, b.priority_classes, equal);
  compare("PodDisruptionBudget", a.disruption_budgets, b.disruption_budgets, equal);
  compare("ElasticQuota", a.elastic_quotas, b.elastic_quotas, equal);
  compare("ElasticQuotaProfile", a.quota_profiles, b.quota_profiles, equal);
  compare("NodeGroup", a.node_groups, b.node_groups, equal);
  compare("Machine", a.machines, b.machines, equal);
  compare("CapacityBuffer", a.capacity_buffers, b.capacity_buffers, equal);
  compare("PodTemplate", a.pod_templates, b.pod_templates,
          [&](const PodTemplateRecord& x, PodTemplateRecord y) {
            y.pod.constraints = x.pod.constraints;
            return x == y;
          });
  compare("workload", a.scalables, b.scalables, [&](const ScalableRecord& x, ScalableRecord y) {
    if (x.pod && y.pod) y.pod->constraints = x.pod->constraints;
    return x == y;
  });
  return first;
}

}  // namespace batholith
