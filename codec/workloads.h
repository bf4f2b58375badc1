#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/capacity_buffer.h"
#include "api/cluster_objects.h"
#include "codec/pod.h"
#include "codec/pod_budget.h"

// What the controllers of Kubernetes' workloads would make of an input: pods of Deployments,
// ReplicaSets, StatefulSets, DaemonSets and ReplicationControllers, as far as the input lacks them,
// and the claims of those pods.
namespace batholith {

// A workload of the input: its record, and what the record does not hold.
struct Workload {
  ScalableRecord record = {};      // of a DaemonSet: without a number
  std::string where = {};          // file and document
  bool stored = false;             // an API server gave it its uid
  bool own_policy = false;         // the template writes a preemptionPolicy
  std::int64_t first_ordinal = 0;  // of a StatefulSet
  boost::json::value resources;    // ResourcesOf its template
  // Of a StatefulSet: what the claims of each pod are made from.
  std::vector<PersistentVolumeClaimRecord> claim_templates = {};
};

struct WorkloadPods {
  std::vector<PodRecord> pods;
  std::vector<PersistentVolumeClaimRecord> claims;  // of these pods
  std::set<std::string> own_policy;  // keys of pods whose template writes a preemptionPolicy
};

class WorkloadController {
 public:
  using IsTaken = std::function<bool(const std::string& pod_key)>;

  // Looks at the pods and nodes of the input as they are now. `is_taken`: a pod of this name is in
  // the input.
  WorkloadController(const ClusterObjects& objects, const std::vector<Workload>& workloads,
                     ConstraintTable& constraints, IsTaken is_taken);

  // The pods that the input lacks. Whose pods are there is told by ownerReferences, else, for pods
  // without an owner, by the selector; those of a Deployment whose ReplicaSets are in the input are
  // theirs. A DaemonSet has a pod for each node whose labels and taints let it in. Throws a
  // FieldError where they are too many.
  WorkloadPods Missing(const Workload& workload, PodBudget& budget) const;

 private:
  std::vector<const PodRecord*> PodsOf(const Workload& workload) const;
  bool HasReplicaSets(const Workload& deployment) const;
  std::vector<PodRecord> Numbered(const Workload& workload, std::int64_t count) const;
  std::vector<PodRecord> Ordinals(const Workload& workload, std::int64_t count) const;
  static void AddClaims(const Workload& workload, WorkloadPods& out);
  std::vector<PodRecord> OnNodes(const Workload& workload,
                                 const std::vector<const PodRecord*>& pods) const;

  const ClusterObjects& objects_;
  const std::vector<Workload>& workloads_;
  ConstraintTable& constraints_;
  IsTaken is_taken_;
  std::map<std::string, std::vector<const PodRecord*>, std::less<>> owned_;    // by owner
  std::map<std::string, std::vector<const PodRecord*>, std::less<>> unowned_;  // by namespace
};

// The uid of whoever controls the workload's pods; of a Deployment that is a ReplicaSet.
std::string ControllerUid(const Workload& workload);

}  // namespace batholith
