#pragma once

#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include "api/capacity_buffer.h"
#include "api/composite_pod_group.h"
#include "api/device_claims.h"
#include "api/devices.h"
#include "api/elastic_quota.h"
#include "api/hyper_node.h"
#include "api/node_group.h"
#include "api/node_shard.h"
#include "api/objects.h"
#include "api/storage_class.h"
#include "api/volumes.h"

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
  std::vector<StorageClassRecord> storage_classes;
  std::vector<PersistentVolumeRecord> volumes;
  std::vector<PersistentVolumeClaimRecord> volume_claims;
  std::vector<CsiNodeRecord> csi_nodes;
  std::vector<CsiDriverRecord> csi_drivers;
  std::vector<CsiStorageCapacityRecord> storage_capacities;
  std::vector<VolumeAttachmentRecord> volume_attachments;
  std::vector<CompositePodGroupRecord> composite_groups;
  std::vector<NodeShardRecord> node_shards;
  std::vector<HyperNodeRecord> hyper_nodes;
  std::vector<DeviceClassRecord> device_classes;
  std::vector<ResourceSliceRecord> resource_slices;
  std::vector<ResourceClaimTemplateRecord> device_claim_templates;
  std::vector<ResourceClaimRecord> device_claims;
};

// The list of every kind, in the order in which they are written. A new kind is a record, its list
// above and its row here; what goes over all kinds follows from the rows. How an API server names
// the kinds is codec/kube_kinds.h.
inline constexpr std::tuple kRecordLists{&ClusterObjects::nodes,
                                         &ClusterObjects::pods,
                                         &ClusterObjects::pod_groups,
                                         &ClusterObjects::queues,
                                         &ClusterObjects::namespaces,
                                         &ClusterObjects::resource_quotas,
                                         &ClusterObjects::priority_classes,
                                         &ClusterObjects::disruption_budgets,
                                         &ClusterObjects::elastic_quotas,
                                         &ClusterObjects::quota_profiles,
                                         &ClusterObjects::node_groups,
                                         &ClusterObjects::machines,
                                         &ClusterObjects::capacity_buffers,
                                         &ClusterObjects::pod_templates,
                                         &ClusterObjects::scalables,
                                         &ClusterObjects::storage_classes,
                                         &ClusterObjects::volumes,
                                         &ClusterObjects::volume_claims,
                                         &ClusterObjects::csi_nodes,
                                         &ClusterObjects::csi_drivers,
                                         &ClusterObjects::storage_capacities,
                                         &ClusterObjects::volume_attachments,
                                         &ClusterObjects::composite_groups,
                                         &ClusterObjects::node_shards,
                                         &ClusterObjects::hyper_nodes,
                                         &ClusterObjects::device_classes,
                                         &ClusterObjects::resource_slices,
                                         &ClusterObjects::device_claim_templates,
                                         &ClusterObjects::device_claims};

namespace records {
template <typename... Record>
std::variant<Record...> AnyOf(std::tuple<std::vector<Record> ClusterObjects::*...>);
}  // namespace records

// Any one of them.
using ObjectRecord = decltype(records::AnyOf(kRecordLists));

// A record's place in ObjectRecord.
template <typename Record>
std::size_t KindOf() {
  static const std::size_t kind = ObjectRecord(Record()).index();
  return kind;
}

// What tells a record from the others of its kind: namespace/name, of quotas, workloads and groups
// of pods their group of the API too.
template <typename Record>
std::string KeyOf(const Record& record) {
  if constexpr (requires { record.Identity(); }) {
    return record.Identity();
  } else {
    return record.meta.Key();
  }
}

// The records of one kind; `Objects` is ClusterObjects or const.
template <typename Record, typename Objects>
auto& AllOf(Objects& objects) {
  return objects.*std::get<std::vector<Record> ClusterObjects::*>(kRecordLists);
}

// Calls `visit` with each row of kRecordLists.
template <typename Visit>
void ForEachRecordList(Visit visit) {
  std::apply([&](auto... list) { (visit(list), ...); }, kRecordLists);
}

}  // namespace batholith
