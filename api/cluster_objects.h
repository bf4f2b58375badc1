#pragma once

#include <vector>

#include "api/objects.h"

namespace batholith {

// All objects of a cluster, as records. Order is the order of the input; keys are unique within a
// kind.
struct ClusterObjects {
  std::vector<NodeRecord> nodes;
  std::vector<PodRecord> pods;
  std::vector<PodGroupRecord> pod_groups;
  std::vector<QueueRecord> queues;
  std::vector<NamespaceRecord> namespaces;
  std::vector<ResourceQuotaRecord> resource_quotas;
  std::vector<PriorityClassRecord> priority_classes;
  std::vector<PodDisruptionBudgetRecord> disruption_budgets;
};

}  // namespace batholith
