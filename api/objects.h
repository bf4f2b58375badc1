#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/group_api.h"
#include "api/network_topology.h"
#include "api/placement_need.h"
#include "api/pod_device_claims.h"
#include "api/pod_volumes.h"
#include "api/resource_schema.h"
#include "api/shared_value.h"

// Plain records, as the cluster tells them. Nothing derived; owned by key in `cache`.
namespace batholith {

using Labels = std::map<std::string, std::string, std::less<>>;

// Seconds since the Unix epoch × 1e9; 0 = not set.
using TimeNs = std::int64_t;

// The controller owner reference, or the first one.
struct OwnerRef {
  std::string uid;
  std::string kind;
  std::string name;
  bool operator==(const OwnerRef&) const = default;
};

struct ObjectMeta {
  std::string name;
  std::string namespace_;  // empty for cluster-scoped kinds
  std::string uid;
  Shared<Labels> labels;
  Shared<Labels> annotations;
  Shared<OwnerRef> owner;
  TimeNs creation = 0;
  bool deleting = false;  // metadata.deletionTimestamp is set
  // The first field that could not be read, and why; empty: all of it could. What it may have said
  // is decided on the safe side (docs/live.md).
  std::string flaw;

  std::string Key() const { return namespace_.empty() ? name : namespace_ + "/" + name; }
  bool operator==(const ObjectMeta&) const = default;
};

enum class TaintEffect : std::uint8_t { kNoSchedule, kPreferNoSchedule, kNoExecute };

struct Taint {
  std::string key;
  std::string value;
  TaintEffect effect = TaintEffect::kNoSchedule;
  bool operator==(const Taint&) const = default;
};

struct Toleration {
  std::string key;      // empty with Exists: every key
  bool exists = false;  // operator Exists (else Equal)
  std::string value;
  std::optional<TaintEffect> effect;  // absent: every effect
  bool operator==(const Toleration&) const = default;
};

// One requirement of a label selector, node selector term or field selector.
struct Requirement {
  enum class Op : std::uint8_t { kIn, kNotIn, kExists, kDoesNotExist, kGt, kLt };
  std::string key;
  Op op = Op::kIn;
  std::vector<std::string> values;
  bool operator==(const Requirement&) const = default;
};

// matchLabels are written out as kIn requirements. All must hold; an empty selector selects
// everything, an absent one (std::nullopt where it is optional) nothing.
struct LabelSelector {
  std::vector<Requirement> requirements;
  bool operator==(const LabelSelector&) const = default;
};

struct NodeSelectorTerm {  // all must hold; a term without any requirement matches no node
  std::vector<Requirement> expressions;
  std::vector<Requirement> fields;  // only metadata.name
  bool operator==(const NodeSelectorTerm&) const = default;
};

struct PreferredNodeTerm {
  std::int32_t weight = 0;
  NodeSelectorTerm term;
  bool operator==(const PreferredNodeTerm&) const = default;
};

struct PodAffinityTerm {
  std::optional<LabelSelector> selector;
  std::vector<std::string> namespaces;              // listed names
  std::optional<LabelSelector> namespace_selector;  // an empty one selects all namespaces
  std::string topology_key;
  std::int32_t weight = 0;  // preferred terms only
  // When `namespaces` is empty and `namespace_selector` absent, the pod's own namespace is meant.
  bool operator==(const PodAffinityTerm&) const = default;
};

struct TopologySpread {
  std::int32_t max_skew = 1;
  std::string topology_key;
  bool hard = true;  // DoNotSchedule, else ScheduleAnyway
  std::optional<LabelSelector> selector;
  std::int32_t min_domains = 1;
  bool honor_node_affinity = true;  // nodeAffinityPolicy, default Honor
  bool honor_node_taints = false;   // nodeTaintsPolicy, default Ignore
  bool operator==(const TopologySpread&) const = default;
};

struct HostPort {
  std::string ip;  // "0.0.0.0" when not set
  std::string protocol;
  std::int32_t port = 0;
  bool operator==(const HostPort&) const = default;
};

// Everything about a pod that decides where it may go, besides its resources. Shared by all pods
// that write the same thing (codec interns by `signature`).
struct PodConstraints {
  Labels node_selector;
  bool has_required_node_affinity = false;
  std::vector<NodeSelectorTerm>
      required_node_terms;  // any must match (with has_required_… and none: no node)
  std::vector<PreferredNodeTerm> preferred_node_terms;
  std::vector<PodAffinityTerm> required_affinity;
  std::vector<PodAffinityTerm> preferred_affinity;
  std::vector<PodAffinityTerm> required_anti_affinity;
  std::vector<PodAffinityTerm> preferred_anti_affinity;
  std::vector<TopologySpread> topology_spread;
  std::vector<Toleration> tolerations;
  std::vector<HostPort> host_ports;
  std::vector<std::string> images;
  std::string signature;  // canonical text of all the above; equal signature = equal constraints
  bool operator==(const PodConstraints&) const = default;
};

enum class PodPhase : std::uint8_t { kPending, kRunning, kSucceeded, kFailed, kUnknown };

// A volume that lives on the pod's node and is lost with it.
struct LocalVolume {
  enum class Kind : std::uint8_t { kEmptyDir, kMemory, kHostPath };
  std::string name;
  Kind kind = Kind::kEmptyDir;
  bool operator==(const LocalVolume&) const = default;
};

struct PodRecord {
  ObjectMeta meta;
  std::string scheduler_name;
  std::string node_name;
  PodPhase phase = PodPhase::kPending;
  Shared<ResourceList> request;  // effective: containers, init containers, sidecars, overhead, pod
                                 // level; without `pods`
  // What scores of kube-scheduler count beyond it, for containers that name no request.
  std::int64_t unnamed_cpu = 0;
  std::int64_t unnamed_memory = 0;
  std::shared_ptr<const PodConstraints> constraints;
  std::optional<std::int32_t> priority;
  std::string priority_class;
  bool preemption_never = false;
  std::string nominated_node;
  std::vector<std::string> scheduling_gates;
  std::vector<LocalVolume> local_volumes;
  Shared<PodVolumes> volumes;  // claims and disks
  Shared<PodDeviceClaims> device_claims;
  TimeNs scheduled_at = 0;           // transition time of condition PodScheduled=True
  TimeNs started_at = 0;             // status.startTime
  TimeNs deletion = 0;               // metadata.deletionTimestamp, grace included; 0 = not told
  std::int64_t deadline_s = -1;      // spec.activeDeadlineSeconds; -1 = not set
  std::int64_t grace_period_s = -1;  // spec.terminationGracePeriodSeconds; -1 = not set
  // Of the pod group in the pod's namespace: its name and SuffixOf its API; empty: a group of its
  // own.
  std::string group;
  std::string task_role;          // volcano.sh/task-spec, annotation then label
  std::string quota_name;         // the quota that a label names; empty: none is named
  bool quota_preemptible = true;  // false: never a quota's victim, and held to the quota's min
  bool request_unread = false;    // it asks for more than `request`, and nobody knows how much
  Shared<PlacementNeeds> needs;   // of its places, which this build does not do
  bool operator==(const PodRecord&) const =
      default;  // equal constraints only where they are shared
};

struct NodeImage {
  std::vector<std::string> names;
  std::int64_t size_bytes = 0;
  bool operator==(const NodeImage&) const = default;
};

struct NodeRecord {
  ObjectMeta meta;
  bool unschedulable = false;
  bool ready = true;  // condition Ready is True or absent
  std::vector<Taint> taints;
  ResourceList allocatable;
  std::vector<NodeImage> images;
  bool operator==(const NodeRecord&) const = default;
};

enum class JobPhase : std::uint8_t { kNone, kPending, kInqueue, kRunning, kUnknown, kCompleted };

struct JobCondition {
  std::string type;
  std::string status;
  std::string reason;
  std::string message;
  bool operator==(const JobCondition&) const = default;
};

struct SubGroupPolicy {
  std::string name;
  std::int32_t sub_group_size = 1;
  std::int32_t min_sub_groups = 0;
  std::int32_t part_of = -1;  // the policy before it in which all of this one is a group; -1: none
  std::optional<LabelSelector> selector;
  std::vector<std::string> match_label_keys;
  std::optional<NetworkTopology> network_topology;
  bool operator==(const SubGroupPolicy&) const = default;
};

struct PodGroupRecord {
  ObjectMeta meta;
  std::int32_t min_member = 0;
  std::map<std::string, std::int32_t> min_task_member;
  std::vector<SubGroupPolicy> sub_group_policies;
  std::optional<NetworkTopology> network_topology;
  std::string queue;
  std::string priority_class;
  std::optional<ResourceList> min_resources;
  JobPhase phase = JobPhase::kNone;
  Shared<std::vector<JobCondition>> conditions;
  bool made_for_pod = false;  // a group of one, made for a bare pod
  GroupApi api = GroupApi::kVolcano;
  std::optional<std::int32_t> priority;  // goes before that of its class
  bool preemption_never = false;         // nobody is evicted for its pods
  bool falls_whole = false;              // of its pods all are evicted, or none
  bool keeps_parts = false;  // what has its place keeps it, though the minimum is not reached
  std::string parent;        // the composite group that it is a part of; empty: none
  // Identities of the groups without which it does not start; empty: itself alone.
  Shared<std::vector<std::string>> starts_with;
  Shared<PlacementNeeds> needs;  // of the places of its pods, which this build does not do

  // What tells it from all other groups: NAMESPACE/NAME and SuffixOf its API.
  std::string Identity() const { return meta.Key() + std::string(SuffixOf(api)); }
  bool operator==(const PodGroupRecord&) const = default;
};

enum class QueueState : std::uint8_t { kOpen, kClosing, kClosed, kUnknown };

struct NodeGroupAffinity {
  std::vector<std::string> required;
  std::vector<std::string> preferred;
  std::vector<std::string> anti_required;
  std::vector<std::string> anti_preferred;
  bool empty() const {
    return required.empty() && preferred.empty() && anti_required.empty() && anti_preferred.empty();
  }
  bool operator==(const NodeGroupAffinity&) const = default;
};

struct QueueRecord {
  ObjectMeta meta;
  std::int32_t weight = 1;
  std::int32_t priority = 0;
  std::optional<bool> reclaimable;
  ResourceList capability;
  ResourceList guarantee;
  ResourceList deserved;
  std::string parent;
  NodeGroupAffinity affinity;
  QueueState state = QueueState::kOpen;
  bool fifo = false;  // no job passes one that cannot be served
  bool operator==(const QueueRecord&) const = default;
};

struct NamespaceRecord {
  ObjectMeta meta;
  bool operator==(const NamespaceRecord&) const = default;
};

// Which pods a ResourceQuota counts.
struct QuotaScope {
  enum class Op : std::uint8_t { kIn, kNotIn, kExists, kDoesNotExist };
  std::string name;  // Terminating, NotTerminating, BestEffort, NotBestEffort, PriorityClass …
  Op op = Op::kExists;
  std::vector<std::string> values;
  bool operator==(const QuotaScope&) const = default;
};

struct ResourceQuotaRecord {
  ObjectMeta meta;
  // Names as a quota writes them (cpu, requests.cpu, limits.memory, count/pods,
  // volcano.sh/namespace.weight …).
  ResourceList hard;               // spec.hard
  ResourceList status_hard;        // status.hard
  ResourceList used;               // status.used
  std::vector<QuotaScope> scopes;  // all must hold
  bool operator==(const ResourceQuotaRecord&) const = default;
};

struct PriorityClassRecord {
  ObjectMeta meta;
  std::int32_t value = 0;
  bool global_default = false;
  bool preemption_never = false;
  bool operator==(const PriorityClassRecord&) const = default;
};

struct PodDisruptionBudgetRecord {
  ObjectMeta meta;
  std::optional<LabelSelector> selector;
  std::int32_t disruptions_allowed = 0;
  std::vector<std::string> disrupted_pods;
  bool operator==(const PodDisruptionBudgetRecord&) const = default;
};

}  // namespace batholith
