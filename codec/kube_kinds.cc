#include "codec/kube_kinds.h"

#include <algorithm>
#include <iterator>

#include "api/check.h"
#include "codec/foreign_group.h"
#include "codec/kinds.h"

namespace batholith {
namespace {

template <auto Read>
ObjectRecord Alone(const Field& object, ReadContext& /*context*/) {
  return Read(object);
}

template <auto Read>
ObjectRecord WithConstraints(const Field& object, ReadContext& context) {
  return Read(object, context.constraints);
}

ObjectRecord Quota(const Field& object, ReadContext& context) {
  return ReadElasticQuota(object, context.group, context.warnings);
}

ObjectRecord ResourceQuota(const Field& object, ReadContext& context) {
  return ReadResourceQuota(object, context.warnings);
}

ObjectRecord WorkloadOf(const Field& object, ReadContext& context) {
  return ReadScalable(object, context.group, context.kind, context.constraints);
}

ObjectRecord Pod(const Field& object, ReadContext& context) {
  PodRecord pod = ReadPod(object, context.constraints);
  WarnOfGroups(pod, context.warnings);
  return pod;
}

template <typename Record>
KubeKind Of(KubeKind::Reader read, KubeKind kind) {
  kind.record = KindOf<Record>();
  kind.read = read;
  return kind;
}
KubeKind Dumped(KubeKind kind) {
  kind.dumped = true;
  return kind;
}
KubeKind Written(KubeKind kind) {
  kind.written = true;
  return kind;
}

KubeKind QueueIn(const char* version) {
  return Written(
      Of<QueueRecord>(Alone<ReadQueue>, {version, "Queue", "queues", false, KindUse::kOptional}));
}
KubeKind GroupIn(const char* version) {
  return Written(Of<PodGroupRecord>(Alone<ReadPodGroup>,
                                    {version, "PodGroup", "podgroups", true, KindUse::kOptional}));
}
KubeKind KubernetesGroupIn(const char* version, const char* newer) {
  return Written(Of<PodGroupRecord>(Alone<ReadKubernetesGroup>, {version, "PodGroup", "podgroups",
                                                                 true, KindUse::kOptional, newer}));
}
KubeKind CoschedulingGroupIn(const char* version) {
  return Dumped(Written(Of<PodGroupRecord>(
      Alone<ReadCoschedulingGroup>, {version, "PodGroup", "podgroups", true, KindUse::kOptional})));
}
KubeKind CompositeIn(const char* version, const char* newer) {
  return Of<CompositePodGroupRecord>(
      Alone<ReadCompositePodGroup>,
      {version, "CompositePodGroup", "compositepodgroups", true, KindUse::kOptional, newer});
}
KubeKind QuotaIn(const char* version, const char* kind, const char* plural) {
  return Dumped(
      Written(Of<ElasticQuotaRecord>(Quota, {version, kind, plural, true, KindUse::kOptional})));
}
KubeKind WorkloadIn(const char* version, const char* kind, const char* plural) {
  return Dumped(Of<ScalableRecord>(WorkloadOf, {version, kind, plural, true, KindUse::kBuffered}));
}
KubeKind DeploymentIn(const char* version, const char* newer) {
  return Written(Of<NodeGroupRecord>(
      Alone<ReadMachineDeployment>,
      {version, "MachineDeployment", "machinedeployments", true, KindUse::kNodeGroups, newer}));
}
KubeKind MachineIn(const char* version, const char* newer) {
  return Of<MachineRecord>(Alone<ReadMachine>,
                           {version, "Machine", "machines", true, KindUse::kNodeGroups, newer});
}
KubeKind BufferIn(const char* version, const char* newer) {
  return Written(Of<CapacityBufferRecord>(
      Alone<ReadCapacityBuffer>,
      {version, "CapacityBuffer", "capacitybuffers", true, KindUse::kBuffers, newer}));
}

// What claims of pods come from.
std::vector<KubeKind> VolumeKinds() {
  using enum KindUse;
  constexpr const char* kStorage = "storage.k8s.io/v1";
  return {
      Dumped(Of<StorageClassRecord>(Alone<ReadStorageClass>,
                                    {kStorage, "StorageClass", "storageclasses", false, kVolumes})),
      Dumped(Of<PersistentVolumeRecord>(
          Alone<ReadPersistentVolume>,
          {"v1", "PersistentVolume", "persistentvolumes", false, kVolumes})),
      Dumped(Of<PersistentVolumeClaimRecord>(
          Alone<ReadPersistentVolumeClaim>,
          {"v1", "PersistentVolumeClaim", "persistentvolumeclaims", true, kVolumes})),
      Dumped(Of<CsiNodeRecord>(Alone<ReadCsiNode>,
                               {kStorage, "CSINode", "csinodes", false, kVolumes})),
      Dumped(Of<CsiDriverRecord>(Alone<ReadCsiDriver>,
                                 {kStorage, "CSIDriver", "csidrivers", false, kVolumes})),
      Dumped(Of<CsiStorageCapacityRecord>(
          Alone<ReadCsiStorageCapacity>,
          {kStorage, "CSIStorageCapacity", "csistoragecapacities", true, kVolumes})),
      Dumped(Of<VolumeAttachmentRecord>(
          Alone<ReadVolumeAttachment>,
          {kStorage, "VolumeAttachment", "volumeattachments", false, kVolumes})),
  };
}

// What claims of pods for devices come from, in each version of the API.
void AddDeviceKinds(std::vector<KubeKind>& out) {
  constexpr const char* kVersions[] = {"resource.k8s.io/v1", "resource.k8s.io/v1beta2",
                                       "resource.k8s.io/v1beta1"};
  const char* newer = nullptr;
  for (const char* version : kVersions) {
    constexpr KindUse kUse = KindUse::kDevices;
    KubeKind kinds[] = {
        Of<DeviceClassRecord>(Alone<ReadDeviceClass>,
                              {version, "DeviceClass", "deviceclasses", false, kUse, newer}),
        Of<ResourceSliceRecord>(Alone<ReadResourceSlice>,
                                {version, "ResourceSlice", "resourceslices", false, kUse, newer}),
        Of<ResourceClaimTemplateRecord>(
            Alone<ReadResourceClaimTemplate>,
            {version, "ResourceClaimTemplate", "resourceclaimtemplates", true, kUse, newer}),
        Of<ResourceClaimRecord>(Alone<ReadResourceClaim>,
                                {version, "ResourceClaim", "resourceclaims", true, kUse, newer}),
    };
    for (const KubeKind& kind : kinds) out.push_back(newer == nullptr ? Dumped(kind) : kind);
    newer = version;
  }
}

// What says which nodes are used, and how they belong together.
std::vector<KubeKind> NodeSetKinds() {
  using enum KindUse;
  return {
      Dumped(Written(Of<NodeShardRecord>(
          Alone<ReadNodeShard>,
          {"shard.volcano.sh/v1alpha1", "NodeShard", "nodeshards", false, kShards}))),
      Dumped(Of<HyperNodeRecord>(Alone<ReadHyperNode>, {"topology.volcano.sh/v1alpha1", "HyperNode",
                                                        "hypernodes", false, kTopology})),
      Dumped(Of<NodeGroupRecord>(Alone<ReadNodeGroup>,
                                 {"batholith.dev/v1", "NodeGroup", "nodegroups", false, kFiles})),
  };
}

std::vector<KubeKind> MakeKinds() {
  using enum KindUse;
  constexpr const char* kVolcano = "scheduling.volcano.sh/v1beta1";
  constexpr const char* kIncubator = "scheduling.incubator.k8s.io/v1alpha1";
  constexpr const char* kSigs = "scheduling.sigs.dev/v1alpha2";
  constexpr const char* kGangs = "scheduling.k8s.io/v1beta1";
  constexpr const char* kOldGangs = "scheduling.k8s.io/v1alpha3";
  constexpr const char* kOldestGangs = "scheduling.k8s.io/v1alpha2";
  constexpr const char* kNos = "nos.nebuly.com/v1alpha1";
  constexpr const char* kOldNos = "n8s.nebuly.ai/v1alpha1";
  constexpr const char* kClusterApi = "cluster.x-k8s.io/v1beta2";
  constexpr const char* kOldClusterApi = "cluster.x-k8s.io/v1beta1";
  constexpr const char* kBufferApi = "autoscaling.x-k8s.io/v1beta1";
  constexpr const char* kOldBufferApi = "autoscaling.x-k8s.io/v1alpha1";
  std::vector<KubeKind> kinds{
      Dumped(Of<NamespaceRecord>(Alone<ReadNamespace>,
                                 {"v1", "Namespace", "namespaces", false, kRequired})),
      Dumped(Of<NodeRecord>(Alone<ReadNode>, {"v1", "Node", "nodes", false, kRequired})),
      Dumped(Of<PriorityClassRecord>(
          Alone<ReadPriorityClass>,
          {"scheduling.k8s.io/v1", "PriorityClass", "priorityclasses", false, kRequired})),
      Dumped(Of<ResourceQuotaRecord>(ResourceQuota,
                                     {"v1", "ResourceQuota", "resourcequotas", true, kRequired})),
      Dumped(Of<PodDisruptionBudgetRecord>(
          Alone<ReadDisruptionBudget>,
          {"policy/v1", "PodDisruptionBudget", "poddisruptionbudgets", true, kRequired})),
      Dumped(QueueIn(kVolcano)),
      Dumped(GroupIn(kVolcano)),
      QueueIn(kIncubator),
      GroupIn(kIncubator),
      QueueIn(kSigs),
      GroupIn(kSigs),
      Dumped(KubernetesGroupIn(kGangs, nullptr)),
      KubernetesGroupIn(kOldGangs, kGangs),
      KubernetesGroupIn(kOldestGangs, kOldGangs),
      Dumped(CompositeIn(kGangs, nullptr)),
      CompositeIn(kOldGangs, kGangs),
      CoschedulingGroupIn("scheduling.x-k8s.io/v1alpha1"),
      CoschedulingGroupIn("scheduling.sigs.k8s.io/v1alpha1"),
      QuotaIn("scheduling.x-k8s.io/v1alpha1", "ElasticQuota", "elasticquotas"),
      QuotaIn("scheduling.sigs.k8s.io/v1alpha1", "ElasticQuota", "elasticquotas"),
      QuotaIn(kNos, "ElasticQuota", "elasticquotas"),
      QuotaIn(kNos, "CompositeElasticQuota", "compositeelasticquotas"),
      QuotaIn(kOldNos, "ElasticQuota", "elasticquotas"),
      QuotaIn(kOldNos, "CompositeElasticQuota", "compositeelasticquotas"),
      Dumped(Of<ElasticQuotaProfileRecord>(Alone<ReadElasticQuotaProfile>,
                                           {"quota.koordinator.sh/v1alpha1", "ElasticQuotaProfile",
                                            "elasticquotaprofiles", true, kOptional})),
      Dumped(Written(Of<PodRecord>(Pod, {"v1", "Pod", "pods", true, kRequired}))),
      DeploymentIn(kClusterApi, nullptr),
      DeploymentIn(kOldClusterApi, kClusterApi),
      MachineIn(kClusterApi, nullptr),
      Dumped(MachineIn(kOldClusterApi, kClusterApi)),
      Dumped(BufferIn(kBufferApi, nullptr)),
      BufferIn(kOldBufferApi, kBufferApi),
      Dumped(Of<PodTemplateRecord>(WithConstraints<ReadPodTemplate>,
                                   {"v1", "PodTemplate", "podtemplates", true, kBuffered})),
      WorkloadIn("v1", "ReplicationController", "replicationcontrollers"),
      WorkloadIn("apps/v1", "Deployment", "deployments"),
      WorkloadIn("apps/v1", "ReplicaSet", "replicasets"),
      WorkloadIn("apps/v1", "StatefulSet", "statefulsets"),
      WorkloadIn("batch/v1", "Job", "jobs"),
  };
  std::ranges::move(NodeSetKinds(), std::back_inserter(kinds));
  std::ranges::move(VolumeKinds(), std::back_inserter(kinds));
  AddDeviceKinds(kinds);
  return kinds;
}

}  // namespace

bool KubeKind::built_in() const {
  const std::string_view g = group();
  // Its groups of pods have names that others have, too, and are read as JSON.
  const bool is_class = g == "scheduling.k8s.io" && std::string_view(kind) == "PriorityClass";
  return g.empty() || g == "policy" || is_class || g == "apps" || g == "batch";
}

bool KubeKind::protobuf() const { return built_in() && waited_for(); }

std::string_view KubeKind::group() const {
  const std::string_view version(api_version);
  const std::size_t slash = version.find('/');
  return slash == std::string_view::npos ? "" : version.substr(0, slash);
}

std::string KubeKind::resource() const { return std::string(group()) + "/" + plural; }

std::string KubeKind::list_path() const {
  return std::string(group().empty() ? "/api/" : "/apis/") + api_version + "/" + plural;
}

std::string KubeKind::path(const std::string& namespace_, const std::string& name) const {
  const std::string root = std::string(group().empty() ? "/api/" : "/apis/") + api_version;
  if (!namespaced) return root + "/" + plural + "/" + name;
  return root + "/namespaces/" + namespace_ + "/" + plural + "/" + name;
}

std::string KubeKind::path(const std::string& key) const {
  const std::size_t slash = key.find('/');
  return path(key.substr(0, slash), key.substr(slash + 1));
}

std::string KubeKind::name() const {
  if (built_in()) return kind;
  const std::string version = std::string(api_version).substr(group().size() + 1);
  return std::string(kind) + (newer == nullptr ? "." : "." + version + ".") + std::string(group());
}

const std::vector<KubeKind>& KubeKinds() {
  static const std::vector<KubeKind> kinds = MakeKinds();
  return kinds;
}

const KubeKind* FindKubeKind(std::string_view api_version, std::string_view kind) {
  const auto it = std::ranges::find_if(KubeKinds(), [&](const KubeKind& k) {
    return kind == k.kind && api_version == k.api_version;
  });
  return it == KubeKinds().end() ? nullptr : &*it;
}

const KubeKind* FindKindOfGroup(std::string_view group, std::string_view kind) {
  const auto it = std::ranges::find_if(
      KubeKinds(), [&](const KubeKind& k) { return kind == k.kind && group == k.group(); });
  return it == KubeKinds().end() ? nullptr : &*it;
}

const KubeKind& DumpedKind(std::size_t record) {
  const auto it = std::ranges::find_if(
      KubeKinds(), [&](const KubeKind& k) { return k.record == record && k.dumped; });
  CHECK(it != KubeKinds().end());
  return *it;
}

std::string PodPath(const std::string& key) { return FindKubeKind("v1", "Pod")->path(key); }

}  // namespace batholith
