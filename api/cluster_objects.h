#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "api/capacity_buffer.h"
#include "api/elastic_quota.h"
#include "api/node_group.h"
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
  std::vector<NodeGroupRecord> node_groups;
  std::vector<MachineRecord> machines;
  std::vector<CapacityBufferRecord> capacity_buffers;
  std::vector<PodTemplateRecord> pod_templates;
  std::vector<ScalableRecord> scalables;
};

// Any one of them.
using ObjectRecord =
    std::variant<NodeRecord, PodRecord, PodGroupRecord, QueueRecord, NamespaceRecord,
                 ResourceQuotaRecord, PriorityClassRecord, PodDisruptionBudgetRecord,
                 ElasticQuotaRecord, ElasticQuotaProfileRecord, NodeGroupRecord, MachineRecord,
                 CapacityBufferRecord, PodTemplateRecord, ScalableRecord>;

// A record's place in ObjectRecord.
template <typename Record>
std::size_t KindOf() {
  static const std::size_t kind = ObjectRecord(Record()).index();
  return kind;
}

// What tells a record from the others of its kind: namespace/name, of quotas and workloads their
// group too.
template <typename Record>
std::string KeyOf(const Record& record) {
  if constexpr (std::is_same_v<Record, ElasticQuotaRecord> ||
                std::is_same_v<Record, ScalableRecord>) {
    return record.Identity();
  } else {
    return record.meta.Key();
  }
}

// The records of one kind; `Objects` is ClusterObjects or const.
template <typename Record, typename Objects>
auto& AllOf(Objects& objects) {
  if constexpr (std::is_same_v<Record, NodeRecord>) return objects.nodes;
  if constexpr (std::is_same_v<Record, PodRecord>) return objects.pods;
  if constexpr (std::is_same_v<Record, PodGroupRecord>) return objects.pod_groups;
  if constexpr (std::is_same_v<Record, QueueRecord>) return objects.queues;
  if constexpr (std::is_same_v<Record, NamespaceRecord>) return objects.namespaces;
  if constexpr (std::is_same_v<Record, ResourceQuotaRecord>) return objects.resource_quotas;
  if constexpr (std::is_same_v<Record, PriorityClassRecord>) return objects.priority_classes;
  if constexpr (std::is_same_v<Record, PodDisruptionBudgetRecord>)
    return objects.disruption_budgets;
  if constexpr (std::is_same_v<Record, ElasticQuotaRecord>) return objects.elastic_quotas;
  if constexpr (std::is_same_v<Record, ElasticQuotaProfileRecord>) return objects.quota_profiles;
  if constexpr (std::is_same_v<Record, NodeGroupRecord>) return objects.node_groups;
  if constexpr (std::is_same_v<Record, MachineRecord>) return objects.machines;
  if constexpr (std::is_same_v<Record, CapacityBufferRecord>) return objects.capacity_buffers;
  if constexpr (std::is_same_v<Record, PodTemplateRecord>) return objects.pod_templates;
  if constexpr (std::is_same_v<Record, ScalableRecord>) return objects.scalables;
}

}  // namespace batholith
