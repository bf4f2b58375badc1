#include "codec/schema/types.h"

namespace batholith {

// From the definitions of the custom resources (installer/crds), and of Volcano's CronJob.
const std::string_view kCustomTypes = R"(
kind scheduling.volcano.sh/Queue VolcanoQueue
kind scheduling.incubator.k8s.io/Queue VolcanoQueue
kind scheduling.sigs.dev/Queue VolcanoQueue
kind scheduling.volcano.sh/PodGroup VolcanoPodGroup
kind scheduling.incubator.k8s.io/PodGroup VolcanoPodGroup
kind scheduling.sigs.dev/PodGroup VolcanoPodGroup
kind scheduling.x-k8s.io/PodGroup CoschedulingGroup
kind scheduling.sigs.k8s.io/PodGroup CoschedulingGroup
kind scheduling.k8s.io/PodGroup KubernetesGroup
kind scheduling.k8s.io/CompositePodGroup KubernetesComposite
kind shard.volcano.sh/NodeShard NodeShard
kind batch.volcano.sh/Job VolcanoJob
kind batch.volcano.sh/CronJob VolcanoCronJob
kind scheduling.x-k8s.io/ElasticQuota ElasticQuota
kind scheduling.sigs.k8s.io/ElasticQuota ElasticQuota
kind nos.nebuly.com/ElasticQuota ElasticQuota
kind nos.nebuly.com/CompositeElasticQuota CompositeElasticQuota
kind n8s.nebuly.ai/ElasticQuota ElasticQuota
kind n8s.nebuly.ai/CompositeElasticQuota CompositeElasticQuota
kind quota.koordinator.sh/ElasticQuotaProfile ElasticQuotaProfile
kind autoscaling.x-k8s.io/CapacityBuffer CapacityBuffer
kind topology.volcano.sh/HyperNode HyperNode
kind batholith.dev/NodeGroup NodeGroup
VolcanoQueue: apiVersion kind metadata>ObjectMeta spec>VolcanoQueueSpec status>VolcanoQueueStatus
VolcanoQueueSpec: affinity>QueueAffinity capability dequeueStrategy deserved
  extendClusters>QueueCluster guarantee>QueueGuarantee parent priority reclaimable type weight
QueueGuarantee: resource
QueueCluster: capacity name weight
QueueAffinity: nodeGroupAffinity>QueueNodeGroups nodeGroupAntiAffinity>QueueNodeGroups
QueueNodeGroups: preferredDuringSchedulingIgnoredDuringExecution
  requiredDuringSchedulingIgnoredDuringExecution
VolcanoQueueStatus: allocated completed inqueue pending reservation>QueueReservation running state
  unknown
QueueReservation: nodes resource
VolcanoPodGroup: apiVersion kind metadata>ObjectMeta spec>VolcanoPodGroupSpec
  status>VolcanoPodGroupStatus
VolcanoPodGroupSpec: minMember minResources minTaskMember networkTopology>VolcanoTopology
  priorityClassName queue subGroupPolicy>VolcanoSubGroup
VolcanoTopology: highestTierAllowed highestTierName mode
VolcanoSubGroup: labelSelector>LabelSelector matchLabelKeys minSubGroups name
  networkTopology>VolcanoTopology subGroupSize
VolcanoPodGroupStatus: conditions>VolcanoCondition failed phase running succeeded
VolcanoCondition: lastTransitionTime message reason status transitionID type
VolcanoJob: apiVersion kind metadata>ObjectMeta spec>VolcanoJobSpec status>VolcanoJobStatus
VolcanoJobSpec: maxRetry minAvailable minSuccess networkTopology>VolcanoTopology plugins
  policies>VolcanoPolicy priorityClassName queue runningEstimate schedulerName
  tasks>VolcanoTask ttlSecondsAfterFinished volumes>VolcanoVolume
VolcanoPolicy: action event events exitCode timeout
VolcanoVolume: mountPath volumeClaim>PersistentVolumeClaimSpec volumeClaimName
VolcanoTask: dependsOn>VolcanoDependsOn maxRetry minAvailable name
  partitionPolicy>VolcanoPartition policies>VolcanoPolicy replicas template>PodTemplateSpec
  topologyPolicy
VolcanoDependsOn: iteration name
VolcanoPartition: minPartitions networkTopology>VolcanoTopology partitionSize totalPartitions
VolcanoJobStatus: conditions>VolcanoJobCondition controlledResources failed minAvailable pending
  retryCount running runningDuration state>VolcanoJobState succeeded taskStatusCount terminating
  unknown version
VolcanoJobState: lastTransitionTime message phase reason
VolcanoJobCondition: lastTransitionTime status
VolcanoCronJob: apiVersion kind metadata>ObjectMeta spec>VolcanoCronJobSpec
  status>VolcanoCronJobStatus
VolcanoCronJobSpec: concurrencyPolicy failedJobsHistoryLimit jobTemplate>VolcanoJobTemplate
  schedule startingDeadlineSeconds successfulJobsHistoryLimit suspend timeZone
VolcanoJobTemplate: metadata>ObjectMeta spec>VolcanoJobSpec
VolcanoCronJobStatus: active>ObjectReference lastScheduleTime lastSuccessfulTime
ElasticQuota: apiVersion kind metadata>ObjectMeta spec>ElasticQuotaSpec status>ElasticQuotaStatus
ElasticQuotaSpec: max min
ElasticQuotaStatus: used
CompositeElasticQuota: apiVersion kind metadata>ObjectMeta spec>CompositeElasticQuotaSpec
  status>ElasticQuotaStatus
CompositeElasticQuotaSpec: max min namespaces
ElasticQuotaProfile: apiVersion kind metadata>ObjectMeta spec>ElasticQuotaProfileSpec status
ElasticQuotaProfileSpec: nodeSelector>LabelSelector quotaLabels quotaName resourceRatio
CapacityBuffer: apiVersion kind metadata>ObjectMeta spec>CapacityBufferSpec
  status>CapacityBufferStatus
CapacityBufferSpec: limits percentage podTemplateRef>BufferTemplate provisioningStrategy replicas
  scalableRef>BufferScalable
BufferTemplate: name
BufferScalable: apiGroup kind name
CapacityBufferStatus: conditions>BufferCondition podTemplateGeneration
  podTemplateRef>BufferTemplate provisioningStrategy replicas
BufferCondition: lastTransitionTime message observedGeneration reason status type
CoschedulingGroup: apiVersion kind metadata>ObjectMeta spec>CoschedulingGroupSpec status
CoschedulingGroupSpec: minMember minResources scheduleTimeoutSeconds
KubernetesGroup: apiVersion kind metadata>ObjectMeta spec>KubernetesGroupSpec status
KubernetesGroupSpec: disruptionMode parentCompositePodGroupName podGroupTemplateRef
  preemptionPolicy priority priorityClassName resourceClaims schedulingConstraints
  schedulingPolicy>KubernetesGroupPolicy workloadRef
KubernetesGroupPolicy: basic gang>KubernetesGang
KubernetesGang: minCount
KubernetesComposite: apiVersion kind metadata>ObjectMeta spec>KubernetesCompositeSpec status
KubernetesCompositeSpec: compositePodGroupTemplateRef disruptionMode parentCompositePodGroupName
  preemptionPolicy priority priorityClassName schedulingConstraints
  schedulingPolicy>KubernetesCompositePolicy workloadRef
KubernetesCompositePolicy: basic gang>KubernetesCompositeGang
KubernetesCompositeGang: minGroupCount
NodeShard: apiVersion kind metadata>ObjectMeta spec>NodeShardSpec status
NodeShardSpec: nodesDesired
HyperNode: apiVersion kind metadata>ObjectMeta spec>HyperNodeSpec status>HyperNodeStatus
HyperNodeSpec: members>HyperNodeMember tier tierName
HyperNodeMember: selector>HyperNodeSelector type
HyperNodeSelector: exactMatch>HyperNodeName labelMatch>LabelSelector regexMatch>HyperNodePattern
HyperNodeName: name
HyperNodePattern: pattern
HyperNodeStatus: conditions>HyperNodeCondition nodeCount
HyperNodeCondition: lastTransitionTime message observedGeneration reason status type
NodeGroup: apiVersion kind metadata>ObjectMeta spec>NodeGroupSpec status
NodeGroupSpec: delaySeconds max min paused size template>Node
)";

}  // namespace batholith
