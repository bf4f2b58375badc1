#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/autoscale_report.h"
#include "api/capacity_buffer.h"
#include "api/device_claims.h"
#include "api/node_shard.h"
#include "api/objects.h"
#include "api/slack_report.h"

// What a session decided, as data: keys are namespace/name. Values only, comparable, printable.
namespace batholith {

// What is to be written for an unbound claim of a pod before the pod is bound.
struct VolumeChoice {
  std::string claim;   // namespace/name
  std::string volume;  // the PersistentVolume that it gets; empty: one is provisioned on the node
  bool operator==(const VolumeChoice&) const = default;
};

// What is to be written onto a claim for devices before its pod is bound: that it is reserved for
// the pod, and the devices, where it has none yet.
struct DeviceChoice {
  std::string claim;                                          // namespace/name
  std::optional<DeviceAllocation> allocation = std::nullopt;  // absent: it has its devices
  bool operator==(const DeviceChoice&) const = default;
};

struct Bind {
  std::string pod, job, queue, node, action;
  std::vector<VolumeChoice> volumes = {};  // of its unbound claims, in their order; most pods: none
  std::vector<DeviceChoice> devices = {};  // of its claims for devices, likewise
  bool operator==(const Bind&) const = default;
};

// How a pod is made to leave.
enum class EvictBy : std::uint8_t {
  kDeletion,
  kEviction,  // disruption budgets may say no
};

struct Evict {
  std::string pod, job, queue, node, action;
  std::string for_job;
  std::string reason;
  EvictBy by = EvictBy::kDeletion;
  bool operator==(const Evict&) const = default;
};

struct Pipelined {  // an in-session reservation, forgotten when the session closes
  std::string pod, job, node, action;
  bool nominates = false;  // room was made for it, which is kept until the victims are gone
  bool operator==(const Pipelined&) const = default;
};

struct JobStatus {
  std::string key, queue;
  JobPhase phase = JobPhase::kNone;
  std::int32_t min_member = 0;
  // TaskStatusName → count, as the cluster will see them.
  Shared<std::map<std::string, std::int32_t>> tasks;
  Shared<std::vector<JobCondition>> conditions;
  std::string message;  // why it waits; empty when nothing of it waits
  double share = 0;     // of what the cluster has, of the resource where that is most
  // Of a job with a networkTopology, the closest HyperNode around its pods; empty: none has a node;
  // absent: it asks for none, or nobody knows of any.
  std::optional<std::string> hyper_node;
  bool changed = true;  // its object has another phase, other conditions or another annotation
  bool operator==(const JobStatus&) const = default;
};

struct QueueStatus {
  std::string name;
  QueueState state = QueueState::kOpen;
  std::int32_t weight = 1;
  double share = 0;
  ResourceList deserved;  // of the plugin that owns shares; else spec.deserved
  ResourceList allocated;
  ResourceList request;     // allocated + pending
  ResourceList capability;  // of the spec; what it does not name has no limit
  ResourceList inqueue;     // what jobs that were let in and wait need at least
  bool overused = false;    // a plugin lets nothing more in
  std::int32_t jobs = 0;    // pod groups that name it, whatever their phase
  bool operator==(const QueueStatus&) const = default;
};

struct NamespaceStatus {  // one for each (queue, namespace) that has jobs
  std::string queue, name;
  std::int64_t weight = 1;
  double share = 0;  // dominant share of the queue's use, unweighted
  ResourceList allocated;
  bool operator==(const NamespaceStatus&) const = default;
};

struct NodeStatus {
  std::string name;
  ResourceList allocatable, used, idle;
  bool operator==(const NodeStatus&) const = default;
};

struct PodStatus {  // every pod that has no node and is not finished
  std::string key;
  std::string reason;  // Unschedulable, SchedulingGated, NotEnqueued, QueueMissing …
  std::string message;
  bool operator==(const PodStatus&) const = default;
};

struct QuotaStatus {
  std::string name, group, kind;  // namespace/name of the object
  ResourceList min, max;
  ResourceList request;  // Koordinator: after the lending rule, before max; else what its pods ask
  ResourceList used;     // as the dialect's status counts it
  ResourceList runtime;  // Koordinator: on the keys of max
  ResourceList scaled_min, guaranteed, allocated;
  ResourceList guaranteed_overquotas;  // nos
  ResourceList borrowed;               // used above min
  std::vector<std::string> pods;       // bound to it itself; see CycleOptions
  bool operator==(const QuotaStatus&) const = default;
};

struct PodLabel {  // a label that a pod should have
  std::string pod, key, value;
  bool operator==(const PodLabel&) const = default;
};

// What is wrong with a quota, for whoever looks at it; the text names it too.
struct QuotaNotice {
  std::string name, group, kind;
  std::string text;
  bool operator==(const QuotaNotice&) const = default;
};

// Since when a quota is over its runtime; kept on the object, so that no restart forgets it.
struct QuotaMark {
  std::string name, group;
  std::int64_t over_since = 0;  // 0: it is not
  bool operator==(const QuotaMark&) const = default;
};

// What the first attempt to place a pod saw; filled only where CycleOptions::trace is set.
struct PlacementTrace {
  std::string pod;
  std::vector<std::string> feasible;
  std::map<std::string, double> scores;
  bool operator==(const PlacementTrace&) const = default;
};

struct CycleResult {
  std::vector<Bind> binds;
  std::vector<Evict> evictions;
  std::vector<Pipelined> pipelined;
  std::vector<JobStatus> jobs;
  std::vector<QueueStatus> queues;
  std::vector<NamespaceStatus> namespaces;
  std::vector<NodeStatus> nodes;
  std::vector<PodStatus> pods;
  std::vector<QuotaStatus> quotas;
  std::vector<PodLabel> labels;     // only where the pod has another value
  std::vector<QuotaMark> marks;     // only where the object has another one
  std::vector<ShardStatus> shards;  // one, only where the object has another one
  SlackReport slack;
  std::vector<BufferStatus> buffers;  // only where the object has another one
  AutoscaleReport autoscale;
  std::vector<std::string> notices;        // what is wrong with objects, one sentence each
  std::vector<QuotaNotice> quota_notices;  // those of them that are about one quota
  std::vector<PlacementTrace> traces;
  // Binds, evictions or a job phase that changed: a session without effect ends `--cycles idle`.
  bool had_effect = false;
  bool operator==(const CycleResult&) const = default;
};

const char* PodPhaseName(PodPhase phase);
const char* JobPhaseName(JobPhase phase);
const char* QueueStateName(QueueState state);

}  // namespace batholith
