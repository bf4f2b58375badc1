#pragma once

#include <vector>

#include "api/elastic_quota.h"
#include "api/objects.h"

namespace batholith {

// All objects of a cluster, as records. Order is the order of the input; keys are unique within a
// kind (of quotas: within a kind and group).
struct ClusterObjects {
  std::vector<NodeRecord> nodes;
  std::vector<PodRecord> pods;
  std::vector<PodGroupRecord> pod_groups;
  std::vector<QueueRecord> queues;
  std::vector<NamespaceRecord> namespaces;
  std::vector<ResourceQuotaRecord> resource_quotas;
  std::vector<PriorityClassRecord> priority_classes;
  std::vector<PodDisruptionBudgetRecord> disruption_budgets;
  std::vector<ElasticQuotaRecord> elastic_quotas;
  std::vector<ElasticQuotaProfileRecord> quota_profiles;
};

}  // namespace batholith
