#pragma once

#include <string>
#include <vector>

#include "api/capacity_buffer.h"
#include "api/composite_pod_group.h"
#include "api/device_claims.h"
#include "api/devices.h"
#include "api/elastic_quota.h"
#include "api/hyper_node.h"
#include "api/node_group.h"
#include "api/node_shard.h"
#include "api/storage_class.h"
#include "api/volumes.h"
#include "codec/json/field.h"

namespace batholith {

// One function for each kind that is read; codec/<kind>.cc. Errors: FieldError,
// never of a stored object with a name; what has a flaw reads on the safe side.
NodeRecord ReadNode(const Field& object);
QueueRecord ReadQueue(const Field& object);
PodGroupRecord ReadPodGroup(const Field& object);
// `warnings` hear of a weight of its namespace that is none, and of a misspelt name of it.
ResourceQuotaRecord ReadResourceQuota(const Field& object, std::vector<std::string>& warnings);
inline NamespaceRecord ReadNamespace(const Field& object) { return {ReadMeta(object)}; }
PriorityClassRecord ReadPriorityClass(const Field& object);
PodDisruptionBudgetRecord ReadDisruptionBudget(const Field& object);
StorageClassRecord ReadStorageClass(const Field& object);
PersistentVolumeRecord ReadPersistentVolume(const Field& object);
PersistentVolumeClaimRecord ReadPersistentVolumeClaim(const Field& object);
CsiNodeRecord ReadCsiNode(const Field& object);
CsiDriverRecord ReadCsiDriver(const Field& object);
CsiStorageCapacityRecord ReadCsiStorageCapacity(const Field& object);
VolumeAttachmentRecord ReadVolumeAttachment(const Field& object);
// Of any version of resource.k8s.io.
ResourceSliceRecord ReadResourceSlice(const Field& object);
DeviceClassRecord ReadDeviceClass(const Field& object);
ResourceClaimRecord ReadResourceClaim(const Field& object);
ResourceClaimTemplateRecord ReadResourceClaimTemplate(const Field& object);
CompositePodGroupRecord ReadCompositePodGroup(const Field& object);
NodeShardRecord ReadNodeShard(const Field& object);
HyperNodeRecord ReadHyperNode(const Field& object);
// REQUIRES: a quota's group. `warnings` hear of what is read otherwise than it is written.
ElasticQuotaRecord ReadElasticQuota(const Field& object, const std::string& group,
                                    std::vector<std::string>& warnings);
ElasticQuotaProfileRecord ReadElasticQuotaProfile(const Field& object);
// Bounds, template and pause of Cluster API's annotations, as Cluster Autoscaler's provider for it
// reads them.
NodeGroupRecord ReadMachineDeployment(const Field& object);
MachineRecord ReadMachine(const Field& object);
// batholith.dev NodeGroup: {min, max, size, delaySeconds, template: a Node without a name}.
NodeGroupRecord ReadNodeGroup(const Field& object);
// Refuses what the custom resource's own rules refuse.
CapacityBufferRecord ReadCapacityBuffer(const Field& object);

inline constexpr Choices<TaintEffect, 3> kTaintEffects{
    {{"NoSchedule", TaintEffect::kNoSchedule},
     {"PreferNoSchedule", TaintEffect::kPreferNoSchedule},
     {"NoExecute", TaintEffect::kNoExecute}}};
inline constexpr Choices<JobPhase, 5> kJobPhases{{{"Pending", JobPhase::kPending},
                                                  {"Inqueue", JobPhase::kInqueue},
                                                  {"Running", JobPhase::kRunning},
                                                  {"Unknown", JobPhase::kUnknown},
                                                  {"Completed", JobPhase::kCompleted}}};
bool ReadPreemptionNever(const Field& policy);  // of a pod or a class

}  // namespace batholith
