#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/cluster_objects.h"
#include "api/ids.h"
#include "api/resource_pool.h"
#include "api/resource_schema.h"
#include "api/resource_vector.h"
#include "api/task_status.h"
#include "api/uncounted_resources.h"

namespace batholith {

class Standing;

struct NodeFacts {
  const NodeRecord* record = nullptr;
  SharedResources allocatable;
  bool lists_pods = true;  // it says how many pods it takes; one that does not takes any number
  bool usable = true;      // ready, not cordoned and not closed; only such nodes count into `total`
  bool closed = false;  // its record or the requests of a pod on it could not be read: takes no pod
  // In another shard: not usable, or where `soft_shard` is set after all nodes of the shard.
  bool off_shard = false;
};

struct TaskFacts {
  const PodRecord* record = nullptr;
  SharedResources request;  // with 1 on `pods`
  JobIndex job;             // none: a pod of another scheduler
  NodeIndex node;           // none: not assigned, or assigned to an unknown node
  NodeIndex nominated;      // status.nominatedNodeName; none: not set, or unknown
  TaskStatus status = TaskStatus::kPending;
  std::int32_t priority = 1;  // pod priority, default 1; volcano.sh/task-priority overrides
  bool preemptable = true;    // volcano.sh/preemptable, annotation then label
  bool revocable = false;     // may run on nodes of a revocable zone
  bool best_effort = false;   // asks for nothing but its slot
  bool gated = false;         // it has scheduling gates, or is held: its record, its group's or its
                              // queue's could not be read, or it is in `unmet`
  // What it or its group needs of its places, which this build does not do and the conf does not
  // ignore: such a pod is held while it waits.
  PlacementNeedSet unmet;
  bool unserved = false;      // asks for some of an uncounted resource, see Snapshot::uncounted
  bool daemon = false;        // of a DaemonSet, or a mirror of a static pod: comes with each node
  bool no_slack = false;      // slack.batholith.dev/exclude: no room is kept for one more of it
  bool foreign = false;       // of another scheduler
  bool sample = false;        // no pod, but what a buffer would keep room for; see BufferFacts
  std::uint32_t role = 0;     // index into JobFacts::roles
  std::uint32_t sub_job = 0;  // index into JobFacts::sub_jobs
  std::int64_t name_number = -1;  // number at the end of a name of three or more dash segments
  ClassIndex base_class;  // equal request, constraints (and namespace and labels where anybody asks
                          // for them)
};

struct RoleFacts {
  std::string name;
  std::int32_t min = 0;
};

struct SubJobFacts {
  std::string name;          // empty: the default sub-job
  std::int32_t policy = -1;  // index into record->sub_group_policies
  std::int32_t min_available = 0;
  std::int64_t number = INT64_MAX;  // that the first of its label values is, where it is one
  // Of a sub-job that is a group of its own, what that group asks for; nullptr: nothing.
  const NetworkTopology* topology = nullptr;
};

struct JobFacts {
  const PodGroupRecord* record = nullptr;
  std::string key;   // Identity of the group; in a group of which each pod starts alone, of the pod
  QueueIndex queue;  // none: the queue does not exist
  std::string queue_name;  // the one that it should go to, where that is not record->queue
  NamespaceIndex namespace_;
  std::int32_t priority = 0;  // of its priority class
  std::int32_t min_available = 0;
  std::vector<TaskIndex> tasks;  // in index order
  std::vector<RoleFacts> roles;  // roles of pods and of minTaskMember
  std::int32_t role_min_total = 0;
  std::vector<SubJobFacts> sub_jobs;  // at least the default one, which is first
  std::optional<SharedResources> min_resources;
  std::vector<std::size_t> unserved_minimum;  // uncounted resources that minResources ask for
  // Why none of its pods is placed, whatever the cluster has; empty: nothing of the kind.
  std::string held;
  // It waits, and even on empty nodes so few of its pods find one that its minimum is not reached.
  bool fits_nowhere = false;

  // The queue that it should go to, whether that exists or not.
  const std::string& wanted_queue() const {
    return queue_name.empty() ? record->queue : queue_name;
  }
  // Nothing but a change of the cluster helps, so that no room is kept for it.
  bool never_starts() const { return fits_nowhere || !unserved_minimum.empty(); }
};

struct QueueFacts {
  const QueueRecord* record = nullptr;
  ResourceLimits capability;  // cpu or memory written as 0 or less is unlimited
  ResourceVector guarantee;
  ResourceVector deserved;  // spec.deserved
  bool reclaimable = true;
  const QueueRecord* flawed = nullptr;  // itself or the nearest one above that could not be read
  std::vector<JobIndex> jobs;
};

struct NamespaceFacts {
  std::string name;
  Labels labels;
  std::int64_t weight = 1;  // highest volcano.sh/namespace.weight of its quotas, at least 1
};

// A capacity buffer of ours, and what it refers to.
struct BufferFacts {
  const CapacityBufferRecord* record = nullptr;
  const PodTemplateRecord* pod_template = nullptr;  // none: it names none, or one that is not there
  const ScalableRecord* scalable = nullptr;         // likewise
  TaskIndex sample;  // like the template's pods; none: there is no template. It has no job, no node
                     // and has succeeded, so that nobody counts it and predicates know it
};

// A frozen cluster: what a session decides on. Immutable, shared; every index is valid within it
// only. Order of nodes, tasks, jobs and queues = (creation time, uid).
struct Snapshot {
  std::shared_ptr<const ClusterObjects> objects;  // keeps the records alive
  std::shared_ptr<const ResourcePool> amounts;    // owns what the facts share
  ResourceSchema schema;
  UncountedResources uncounted;      // asked for, and in no dimension: no node serves them
  std::vector<std::string> notices;  // what is wrong with names of resources, one sentence each
  std::optional<ShardStatus> shard;  // of our NodeShard, where that says something else
  TimeNs now = 0;
  std::vector<NodeFacts> nodes;
  std::vector<TaskFacts> tasks;  // pods, then samples
  std::vector<JobFacts> jobs;
  std::vector<QueueFacts> queues;
  std::vector<NamespaceFacts> namespaces;
  // Of jobs that stand for several groups that start together.
  std::vector<std::shared_ptr<const PodGroupRecord>> bundles;
  std::vector<BufferFacts> buffers;  // first to be served first
  std::size_t base_classes = 0;
  bool labels_matter = false;     // somebody asks for pod affinity or topology spread
  bool volumes_matter = false;    // a pod that waits has claims or disks
  bool devices_matter = false;    // a pod that waits has claims for devices
  bool requests_unnamed = false;  // a container names no request; see PodRecord::unnamed_cpu
  bool soft_shard = false;        // nodes of other shards may be taken
  ResourceVector total;           // of usable nodes, and what runs on the others
  ResourceVector shared;          // of that, what pods of other schedulers leave to queues
  // Where the tasks stand, for sessions to copy; none: each makes its own.
  std::shared_ptr<const Standing> standing;

  const NodeFacts& node(NodeIndex i) const { return nodes[i.value()]; }
  const TaskFacts& task(TaskIndex i) const { return tasks[i.value()]; }
  const JobFacts& job(JobIndex i) const { return jobs[i.value()]; }
  const QueueFacts& queue(QueueIndex i) const { return queues[i.value()]; }
  // Drops names that the schema does not have: no node serves them.
  ResourceVector ToVector(const ResourceList& list) const;
  // The uncounted resources that the list asks for more than 0 of, as ResourceName takes them.
  std::vector<std::size_t> Uncounted(const ResourceList& list) const;
  // Of a dimension; from schema.size() on, of an uncounted resource.
  const std::string& ResourceName(std::size_t r) const {
    return r < schema.size() ? schema.name(r) : uncounted.name(r - schema.size());
  }
};

}  // namespace batholith
