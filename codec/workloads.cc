#include "codec/workloads.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "api/label_match.h"
#include "api/node_match.h"
#include "codec/limits.h"

namespace batholith {
namespace {

// What a DaemonSet's pods tolerate besides what their template says.
constexpr std::array<std::pair<const char*, TaintEffect>, 6> kTolerated{
    {{"node.kubernetes.io/not-ready", TaintEffect::kNoExecute},
     {"node.kubernetes.io/unreachable", TaintEffect::kNoExecute},
     {"node.kubernetes.io/disk-pressure", TaintEffect::kNoSchedule},
     {"node.kubernetes.io/memory-pressure", TaintEffect::kNoSchedule},
     {"node.kubernetes.io/pid-pressure", TaintEffect::kNoSchedule},
     {"node.kubernetes.io/unschedulable", TaintEffect::kNoSchedule}}};

std::string ByUid(const std::string& ns, const std::string& uid) { return ns + "/uid/" + uid; }
std::string ByName(const std::string& ns, std::string_view kind, const std::string& name) {
  return ns + "/" + std::string(kind) + "/" + name;
}

bool IsActive(const PodRecord& pod) {
  return pod.phase != PodPhase::kSucceeded && pod.phase != PodPhase::kFailed && !pod.meta.deleting;
}

std::string_view ControllerKind(const Workload& workload) {
  return workload.record.kind == "Deployment" ? std::string_view("ReplicaSet")
                                              : std::string_view(workload.record.kind);
}

// All but its name.
PodRecord PodOf(const Workload& workload) {
  const ObjectMeta& owner = workload.record.meta;
  PodRecord pod = *workload.record.pod;
  pod.meta.namespace_ = owner.namespace_;
  pod.meta.creation = owner.creation;
  pod.meta.owner.Edit().uid = ControllerUid(workload);
  pod.meta.owner.Edit().kind = ControllerKind(workload);
  pod.meta.owner.Edit().name = owner.name;
  return pod;
}

void Name(PodRecord& pod, std::string name) {
  pod.meta.name = std::move(name);
  pod.meta.uid = pod.meta.namespace_ + "-" + pod.meta.name;
}

bool AreOn(const std::vector<const PodRecord*>& pods, const NodeRecord& node) {
  return std::ranges::any_of(pods, [&node](const PodRecord* pod) {
    if (!pod->node_name.empty()) return pod->node_name == node.meta.name;
    // One that waits names its node as the DaemonSet's controller writes it.
    const auto& terms = pod->constraints->required_node_terms;
    return std::ranges::any_of(terms, [&node](const NodeSelectorTerm& term) {
      return std::ranges::any_of(term.fields, [&node](const Requirement& r) {
        return r.values == std::vector<std::string>{node.meta.name};
      });
    });
  });
}

void Tolerate(PodConstraints& constraints) {
  for (const auto& [key, effect] : kTolerated)
    constraints.tolerations.push_back({key, /*exists=*/true, "", effect});
}

// A cordoned node says so in its spec, and an API server adds the taint.
bool LetsIn(const PodConstraints& constraints, const NodeRecord& node) {
  return MatchesNode(constraints, node) &&
         UntoleratedTaint(constraints.tolerations, node) == nullptr;
}

void PinTo(PodConstraints& constraints, const NodeRecord& node) {
  auto& terms = constraints.required_node_terms;
  if (!constraints.has_required_node_affinity) terms.assign(1, {});
  constraints.has_required_node_affinity = true;
  for (NodeSelectorTerm& term : terms)
    term.fields.assign(1, {"metadata.name", Requirement::Op::kIn, {node.meta.name}});
}

}  // namespace

std::string ControllerUid(const Workload& workload) {
  const ObjectMeta& meta = workload.record.meta;
  const bool is_deployment = workload.record.kind == "Deployment";
  if (workload.stored && !is_deployment) return meta.uid;
  return meta.namespace_ + "-" + meta.name + "-" + std::string(ControllerKind(workload));
}

WorkloadController::WorkloadController(const ClusterObjects& objects,
                                       const std::vector<Workload>& workloads,
                                       ConstraintTable& constraints, IsTaken is_taken)
    : objects_(objects),
      workloads_(workloads),
      constraints_(constraints),
      is_taken_(std::move(is_taken)) {
  for (const PodRecord& pod : objects.pods) {
    if (!IsActive(pod)) continue;
    const ObjectMeta& meta = pod.meta;
    if (meta.owner->uid.empty() && meta.owner->name.empty()) {
      unowned_[meta.namespace_].push_back(&pod);
      continue;
    }
    owned_[ByUid(meta.namespace_, meta.owner->uid)].push_back(&pod);
    owned_[ByName(meta.namespace_, meta.owner->kind, meta.owner->name)].push_back(&pod);
    // A ReplicaSet that is not in the input is named after its Deployment: NAME-HASH.
    const std::size_t dash = meta.owner->name.rfind('-');
    if (meta.owner->kind == "ReplicaSet" && dash != std::string::npos)
      owned_[ByName(meta.namespace_, "Deployment", meta.owner->name.substr(0, dash))].push_back(
          &pod);
  }
}

std::vector<const PodRecord*> WorkloadController::PodsOf(const Workload& workload) const {
  const ScalableRecord& record = workload.record;
  const std::string& ns = record.meta.namespace_;
  std::set<const PodRecord*> found;
  for (const std::string& key :
       {ByUid(ns, record.meta.uid), ByName(ns, record.kind, record.meta.name)}) {
    if (const auto it = owned_.find(key); it != owned_.end())
      found.insert(it->second.begin(), it->second.end());
  }
  if (const auto it = unowned_.find(ns); it != unowned_.end()) {
    for (const PodRecord* pod : it->second) {
      if (MatchesSelector(record.selector, pod->meta.labels)) found.insert(pod);
    }
  }
  return {found.begin(), found.end()};
}

bool WorkloadController::HasReplicaSets(const Workload& deployment) const {
  const ObjectMeta& meta = deployment.record.meta;
  return std::ranges::any_of(workloads_, [&meta](const Workload& other) {
    const ObjectMeta& o = other.record.meta;
    return other.record.kind == "ReplicaSet" && o.namespace_ == meta.namespace_ &&
           (o.owner->uid == meta.uid ||
            (o.owner->kind == "Deployment" && o.owner->name == meta.name));
  });
}

std::vector<PodRecord> WorkloadController::Numbered(const Workload& workload,
                                                    std::int64_t count) const {
  std::vector<PodRecord> out;
  for (std::int64_t n = 0; std::ssize(out) < count; ++n) {
    PodRecord pod = PodOf(workload);
    Name(pod, fmt::format("{}-{:05}", workload.record.meta.name, n));
    if (!is_taken_(pod.meta.Key())) out.push_back(std::move(pod));
  }
  return out;
}

// All at once: each would follow as soon as the one before is ready.
std::vector<PodRecord> WorkloadController::Ordinals(const Workload& workload,
                                                    std::int64_t count) const {
  std::vector<PodRecord> out;
  for (std::int64_t n = 0; n < workload.record.replicas && std::ssize(out) < count; ++n) {
    const std::string ordinal = std::to_string(workload.first_ordinal + n);
    PodRecord pod = PodOf(workload);
    Name(pod, workload.record.meta.name + "-" + ordinal);
    pod.meta.labels["statefulset.kubernetes.io/pod-name"] = pod.meta.name;
    pod.meta.labels["apps.kubernetes.io/pod-index"] = ordinal;
    if (!is_taken_(pod.meta.Key())) out.push_back(std::move(pod));
  }
  return out;
}

// TEMPLATE-POD, as they are found again by a pod of the same ordinal.
void WorkloadController::AddClaims(const Workload& workload, WorkloadPods& out) {
  for (PodRecord& pod : out.pods) {
    for (const PersistentVolumeClaimRecord& from : workload.claim_templates) {
      PersistentVolumeClaimRecord claim = from;
      claim.meta.namespace_ = pod.meta.namespace_;
      claim.meta.name = from.meta.name + "-" + pod.meta.name;
      claim.meta.creation = pod.meta.creation;
      pod.volumes.Edit().claims.push_back({claim.meta.name});
      out.claims.push_back(std::move(claim));
    }
  }
}

std::vector<PodRecord> WorkloadController::OnNodes(
    const Workload& workload, const std::vector<const PodRecord*>& pods) const {
  std::vector<PodRecord> out;
  PodConstraints shared = *workload.record.pod->constraints;
  Tolerate(shared);
  for (const NodeRecord& node : objects_.nodes) {
    if (!LetsIn(shared, node) || AreOn(pods, node)) continue;
    PodRecord pod = PodOf(workload);
    Name(pod, workload.record.meta.name + "-" + node.meta.name);
    if (is_taken_(pod.meta.Key())) continue;
    PodConstraints pinned = shared;
    PinTo(pinned, node);
    pinned.signature = SignatureOf(pinned);
    pod.constraints = constraints_.Intern(std::move(pinned));
    out.push_back(std::move(pod));
  }
  return out;
}

WorkloadPods WorkloadController::Missing(const Workload& workload, PodBudget& budget) const {
  const ScalableRecord& record = workload.record;
  WorkloadPods out;
  const bool on_nodes = record.kind == "DaemonSet";
  if (!record.pod || record.meta.deleting || (!on_nodes && record.replicas == 0)) return out;
  if (record.kind == "Deployment" && HasReplicaSets(workload)) return out;
  const std::vector<const PodRecord*> pods = PodsOf(workload);
  const Field count(nullptr, on_nodes ? "spec.template" : "spec.replicas");
  const std::int64_t wanted = on_nodes
                                  ? std::ssize(objects_.nodes)
                                  : std::max<std::int64_t>(record.replicas - std::ssize(pods), 0);
  budget.Ask(wanted, count);
  if (on_nodes) {
    out.pods = OnNodes(workload, pods);
  } else {
    out.pods =
        record.kind == "StatefulSet" ? Ordinals(workload, wanted) : Numbered(workload, wanted);
  }
  const std::int64_t claims = std::ssize(out.pods) * std::ssize(workload.claim_templates);
  if (claims > budget.most * kMaxMadeClaims) {
    throw FieldError("spec.volumeClaimTemplates",
                     fmt::format("{} claims of {} pods are too many", claims, out.pods.size()));
  }
  AddClaims(workload, out);
  PodBudget after = budget;
  for (const PodRecord& pod : out.pods) {
    after.Add(pod, std::ssize(out.pods), count);
    if (workload.own_policy) out.own_policy.insert(pod.meta.Key());
  }
  budget = after;
  return out;
}

}  // namespace batholith
