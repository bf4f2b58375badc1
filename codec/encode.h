#pragma once

#include <boost/json/object.hpp>

#include "api/capacity_buffer.h"
#include "api/composite_pod_group.h"
#include "api/device_claims.h"
#include "api/elastic_quota.h"
#include "api/hyper_node.h"
#include "api/node_group.h"
#include "api/node_shard.h"
#include "api/storage_class.h"
#include "api/volumes.h"
#include "codec/json/field.h"

// Records → Kubernetes manifests, one function for each kind. Reading a manifest back
// (codec/kinds.h, codec/pod.h) gives the same record, field by field. It is not the manifest that
// was read: what a pod asks for stands at one container. What a manifest has no place for (the
// group of a bare pod, which group was made for one) stands in a field `batholith` beside
// `metadata`, which nobody else reads: RestoreDerived. REQUIRES: times from 1900 to 2190, as
// the decoder reads them.
namespace batholith {

boost::json::object Encode(const NodeRecord& node);
boost::json::object Encode(const PodRecord& pod);  // REQUIRES: it has constraints
boost::json::object Encode(const PodGroupRecord& group);
boost::json::object Encode(const QueueRecord& queue);
boost::json::object Encode(const NamespaceRecord& namespace_);
boost::json::object Encode(const ResourceQuotaRecord& quota);
boost::json::object Encode(const PriorityClassRecord& priority_class);
boost::json::object Encode(const PodDisruptionBudgetRecord& budget);
// Labels and annotations say what spec does not.
boost::json::object Encode(const ElasticQuotaRecord& quota);
boost::json::object Encode(const ElasticQuotaProfileRecord& profile);
// A MachineDeployment as a NodeGroup of its kind: what its annotations said.
boost::json::object Encode(const NodeGroupRecord& group);
boost::json::object Encode(const MachineRecord& machine);
boost::json::object Encode(const CapacityBufferRecord& buffer);
boost::json::object Encode(const PodTemplateRecord& pod_template);
boost::json::object Encode(const ScalableRecord& scalable);
boost::json::object Encode(const ResourceSliceRecord& slice);
boost::json::object Encode(const DeviceClassRecord& device_class);
boost::json::object Encode(const ResourceClaimRecord& claim);
boost::json::object Encode(const ResourceClaimTemplateRecord& claim_template);
boost::json::object Encode(const StorageClassRecord& storage_class);
boost::json::object Encode(const PersistentVolumeRecord& volume);
boost::json::object Encode(const PersistentVolumeClaimRecord& claim);
boost::json::object Encode(const CsiNodeRecord& node);
boost::json::object Encode(const CsiDriverRecord& driver);
boost::json::object Encode(const CsiStorageCapacityRecord& capacity);
boost::json::object Encode(const VolumeAttachmentRecord& attachment);
boost::json::object Encode(const CompositePodGroupRecord& group);
boost::json::object Encode(const NodeShardRecord& shard);
boost::json::object Encode(const HyperNodeRecord& hyper_node);

// Sets what Encode wrote into the field `batholith` of this object. Errors: FieldError.
void RestoreDerived(const Field& object, PodRecord& pod);
void RestoreDerived(const Field& object, PodGroupRecord& group);
void RestoreDerived(const Field& object, CompositePodGroupRecord& group);

}  // namespace batholith
