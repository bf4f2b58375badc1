#include "sim/cluster.h"

#include <algorithm>
#include <set>
#include <utility>

#include "api/decided.h"
#include "codec/kube_kinds.h"
#include "sim/device_controller.h"
#include "sim/volume_controller.h"

namespace batholith {
namespace {

constexpr TimeNs kSecond = 1'000'000'000;

// `visit(kind, list of a, list of b)` for each list; records of a list of several kinds say their
// own.
template <typename Visit>
void ForEachKind(ClusterObjects& a, ClusterObjects& b, Visit visit) {
  std::size_t record = 0;
  ForEachRecordList([&](auto list) { visit(DumpedKind(record++), a.*list, b.*list); });
}

// "Kind/namespace/name" or "Kind/name".
template <typename Record>
std::string ReferenceTo(const KubeKind& kind, const Record& record) {
  if constexpr (requires { record.kind; }) {
    return record.kind + "/" + record.meta.Key();
  } else {
    return std::string(kind.kind) + "/" + record.meta.Key();
  }
}

// What no two objects have in common.
template <typename Record>
std::string IdentityOf(const KubeKind& kind, const Record& record) {
  if constexpr (requires { record.Identity(); }) {
    return record.Identity();
  } else {
    return ReferenceTo(kind, record);
  }
}

// Whether records of the list may be of kind `wanted`. With a group, too, where the list has
// several kinds: they may differ by group alone.
template <typename Record>
bool IsKind(const std::vector<Record>& /*list*/, std::string_view wanted) {
  if constexpr (requires(Record record) { record.kind; })
    wanted = wanted.substr(0, wanted.find('.'));
  return std::ranges::any_of(KubeKinds(), [&](const KubeKind& kind) {
    return kind.record == KindOf<Record>() && kind.kind == wanted;
  });
}

// What an API server keeps when an update does not speak of it.
template <typename Record>
void KeepStatus(const Record& /*before*/, Record& /*after*/) {}

void KeepStatus(const NodeRecord& before, NodeRecord& after) {
  after.ready = before.ready;
  after.allocatable = before.allocatable;
  after.images = before.images;
}

void KeepStatus(const PodRecord& before, PodRecord& after) {
  after.phase = before.phase;
  after.nominated_node = before.nominated_node;
  after.scheduled_at = before.scheduled_at;
  after.started_at = before.started_at;
  if (after.device_claims.empty()) return;
  for (PodDeviceClaim& named : after.device_claims.Edit()) {
    const auto same = [&](const PodDeviceClaim& old) { return old.name == named.name; };
    const auto old = std::ranges::find_if(*before.device_claims, same);
    if (old != before.device_claims.end()) named.made = old->made;
  }
}

void KeepStatus(const PodGroupRecord& before, PodGroupRecord& after) {
  after.phase = before.phase;
  after.conditions = before.conditions;
}

void KeepStatus(const NodeShardRecord& before, NodeShardRecord& after) {
  after.in_use = before.in_use;
  after.to_add = before.to_add;
}

void KeepStatus(const QueueRecord& before, QueueRecord& after) { after.state = before.state; }

void KeepStatus(const ElasticQuotaRecord& before, ElasticQuotaRecord& after) {
  after.status_used = before.status_used;
}

void KeepStatus(const PersistentVolumeRecord& before, PersistentVolumeRecord& after) {
  after.phase = before.phase;
}

void KeepStatus(const PersistentVolumeClaimRecord& before, PersistentVolumeClaimRecord& after) {
  after.phase = before.phase;
}

void KeepStatus(const ResourceClaimRecord& before, ResourceClaimRecord& after) {
  after.allocation = before.allocation;
  after.reserved_for = before.reserved_for;
  after.devices = before.devices;
}

void KeepStatus(const CapacityBufferRecord& before, CapacityBufferRecord& after) {
  after.status_replicas = before.status_replicas;
  after.conditions = before.conditions;
  after.observed_generation = before.observed_generation;
}

template <typename Record>
void KeepNode(const Record& /*before*/, Record& /*after*/) {}

void KeepNode(const PodRecord& before, PodRecord& after) {
  if (after.node_name.empty()) after.node_name = before.node_name;
  if (!after.meta.deleting) after.deletion = before.deletion;
}

// A group that was made for pods without one: further pods of the same owner come to the first.
template <typename Record>
bool IsMade(const Record& /*record*/) {
  return false;
}
bool IsMade(const PodGroupRecord& group) { return group.made_for_pod; }

TimeNs GoneAt(const PodRecord& pod, TimeNs now) {
  return now + std::max<std::int64_t>(pod.grace_period_s, 0) * kSecond;
}

}  // namespace

SimCluster::SimCluster(ClusterObjects objects, VictimFate victims, TimeNs now)
    : objects_(std::make_shared<ClusterObjects>(std::move(objects))), victims_(victims) {
  node_groups_.StandUp(*objects_, now);
  if (HasDeviceWork(*objects_)) DeviceController(*objects_).Reconcile(now);
  IndexPods();
  RecordLeaving(now);
}

void SimCluster::RecordLeaving(TimeNs now) {
  for (const PodRecord& pod : objects_->pods) {
    if (pod.meta.deleting) leaving_.try_emplace(pod.meta.Key(), GoneAt(pod, now), false, false);
  }
}

ClusterObjects& SimCluster::Mutable() {
  if (objects_.use_count() > 1) objects_ = std::make_shared<ClusterObjects>(*objects_);
  return *objects_;
}

void SimCluster::IndexPods() {
  pod_index_.clear();
  for (std::size_t i = 0; i < objects_->pods.size(); ++i) {
    pod_index_.emplace(objects_->pods[i].meta.Key(), i);
  }
}

PodRecord* SimCluster::FindPod(const std::string& key) {
  const auto it = pod_index_.find(key);
  return it == pod_index_.end() ? nullptr : &objects_->pods[it->second];
}

bool SimCluster::IsRestless() const {
  if (!leaving_.empty() || node_groups_.IsRestless() || HasVolumeWork(*objects_) ||
      HasDeviceWork(*objects_))
    return true;
  if (std::ranges::any_of(objects_->elastic_quotas, [](const ElasticQuotaRecord& quota) {
        return quota.meta.annotations.contains(kOverSinceAnnotation);
      })) {
    return true;  // a quota's time runs
  }
  std::set<std::string_view> nodes;
  for (const NodeRecord& node : objects_->nodes) nodes.insert(node.meta.name);
  return std::ranges::any_of(objects_->pods, [&](const PodRecord& pod) {
    return pod.phase == PodPhase::kPending && nodes.contains(pod.node_name);
  });
}

void SimCluster::Apply(const CycleResult& result, TimeNs now) {
  ClusterObjects& objects = Mutable();
  VolumeController volumes(objects);
  DeviceController devices(objects);
  for (const Bind& bind : result.binds) {
    PodRecord* pod = FindPod(bind.pod);
    if (pod == nullptr) continue;
    pod->node_name = bind.node;
    pod->scheduled_at = now;
    pod->nominated_node.clear();
    volumes.OnBound(bind);
    devices.OnBound(bind, *pod);
  }
  for (const Evict& evict : result.evictions) {
    PodRecord* pod = FindPod(evict.pod);
    if (pod == nullptr) continue;
    if (!pod->meta.deleting) disruptions_.OnEvicted(*pod, objects);
    pod->meta.deleting = true;
    pod->deletion = GoneAt(*pod, now);
    leaving_[evict.pod] = {pod->deletion, true, false};
  }
  for (const std::string& key : node_groups_.Apply(result.autoscale.orders, objects, now)) {
    PodRecord* pod = FindPod(key);
    pod->meta.deleting = true;
    pod->deletion = GoneAt(*pod, now);
    leaving_[key] = {pod->deletion, true, true};
  }
  ObjectFinder find = FinderIn(objects);
  find.pod = [this](const std::string& key) { return FindPod(key); };
  ApplyStatuses(result, objects, find);
}

void SimCluster::Advance(TimeNs now) {
  ClusterObjects& objects = Mutable();
  std::set<std::string_view> nodes;
  for (const NodeRecord& node : objects.nodes) nodes.insert(node.meta.name);
  for (PodRecord& pod : objects.pods) {
    if (pod.phase != PodPhase::kPending || pod.meta.deleting) continue;
    if (!nodes.contains(pod.node_name)) continue;  // nobody there to start it
    pod.phase = PodPhase::kRunning;
    pod.started_at = now;
    if (origin_.contains(pod.meta.Key())) disruptions_.OnReplaced(pod, objects);
  }
  std::vector<std::pair<PodRecord, bool>> gone;  // and whether it is made again
  std::erase_if(objects.pods, [&](const PodRecord& pod) {
    const auto it = leaving_.find(pod.meta.Key());
    if (it == leaving_.end() || it->second.gone_at > now) return false;
    gone.emplace_back(
        pod, it->second.drained || (it->second.evicted && victims_ == VictimFate::kRecreated));
    return true;
  });
  for (const auto& [pod, recreated] : gone) {
    leaving_.erase(pod.meta.Key());
    VolumeController(objects).OnGone(pod);
    DeviceController(objects).OnGone(pod);
    if (recreated) Recreate(pod, now);
  }
  const std::size_t pods = objects.pods.size();
  node_groups_.Advance(objects, now);
  if (HasVolumeWork(objects)) VolumeController(objects).Reconcile(now);
  if (HasDeviceWork(objects)) DeviceController(objects).Reconcile(now);
  if (gone.empty() && objects.pods.size() == pods) return;
  IndexPods();
  DropOrphanGroups();
}

void SimCluster::Recreate(const PodRecord& victim, TimeNs now) {
  const std::string key = victim.meta.Key();
  const auto it = origin_.find(key);
  const std::string origin = it == origin_.end() ? key : it->second;
  const std::string suffix = "-r" + std::to_string(++recreations_[origin]);
  PodRecord pod = victim;
  pod.meta.name = origin.substr(origin.find('/') + 1) + suffix;
  pod.meta.uid = victim.meta.uid + suffix;
  pod.meta.deleting = false;
  pod.deletion = 0;
  ForgetMadeClaims(pod);
  pod.meta.creation = now;
  for (const PodRecord& other : objects_->pods) {  // created last, even among the future's pods
    pod.meta.creation = std::max(pod.meta.creation, other.meta.creation + kSecond);
  }
  pod.node_name.clear();
  pod.nominated_node.clear();
  pod.phase = PodPhase::kPending;
  pod.scheduled_at = 0;
  pod.started_at = 0;
  origin_[pod.meta.Key()] = origin;
  objects_->pods.push_back(std::move(pod));
}

void SimCluster::DropOrphanGroups() {
  std::set<std::string> used;
  for (const PodRecord& pod : objects_->pods) used.insert(pod.meta.namespace_ + "/" + pod.group);
  std::erase_if(objects_->pod_groups, [&](const PodGroupRecord& group) {
    return group.made_for_pod && !used.contains(group.Identity());
  });
}

std::vector<std::string> SimCluster::Add(ClusterObjects objects, TimeNs now) {
  std::vector<std::string> problems;
  ForEachKind(Mutable(), objects, [&](const KubeKind& kind, auto& here, auto& more) {
    std::set<std::string> known;
    for (const auto& record : here) known.insert(IdentityOf(kind, record));
    for (auto& record : more) {
      if (!known.insert(IdentityOf(kind, record)).second) {
        if (!IsMade(record)) problems.push_back(IdentityOf(kind, record) + " exists already");
        continue;
      }
      here.push_back(std::move(record));
    }
  });
  if (HasDeviceWork(*objects_)) DeviceController(*objects_).Reconcile(now);
  IndexPods();
  RecordLeaving(now);
  return problems;
}

std::vector<std::string> SimCluster::Update(ObjectUpdate update, TimeNs now) {
  std::vector<std::string> problems;
  ForEachKind(Mutable(), update.objects, [&](const KubeKind& kind, auto& here, auto& more) {
    for (auto& record : more) {
      const std::string reference = ReferenceTo(kind, record);
      const std::string identity = IdentityOf(kind, record);
      const auto it = std::ranges::find_if(
          here, [&](const auto& old) { return IdentityOf(kind, old) == identity; });
      if (it == here.end()) {
        problems.push_back(identity + " does not exist, so it cannot be updated");
        continue;
      }
      KeepNode(*it, record);
      if (!update.with_status.contains(reference)) KeepStatus(*it, record);
      if (!update.with_creation.contains(reference)) record.meta.creation = it->meta.creation;
      record.meta.deleting = record.meta.deleting || it->meta.deleting;
      *it = std::move(record);
    }
  });
  RecordLeaving(now);
  return problems;
}

Result<void> SimCluster::Remove(std::string_view reference) {
  const std::size_t slash = reference.find('/');
  const std::string_view wanted_kind = reference.substr(0, slash);
  const std::string_view key = slash == reference.npos ? "" : reference.substr(slash + 1);
  const PodRecord* pod = wanted_kind == "Pod" ? FindPod(std::string(key)) : nullptr;
  const PodRecord gone = pod == nullptr ? PodRecord() : *pod;
  bool kind_exists = false;
  std::ptrdiff_t found = 0;
  ClusterObjects none;
  ForEachKind(Mutable(), none, [&](const KubeKind& kind, auto& here, auto&) {
    if (!IsKind(here, wanted_kind)) return;
    kind_exists = true;
    const auto is_meant = [&](const auto& record) {
      return ReferenceTo(kind, record) == reference || IdentityOf(kind, record) == reference;
    };
    found = std::ranges::count_if(here, is_meant);
    if (found == 1) here.erase(std::ranges::find_if(here, is_meant));
  });
  if (!kind_exists) {
    return Invalid("remove " + std::string(reference) + ": no kind \"" + std::string(wanted_kind) +
                   "\" is kept; expected kind/namespace/name or kind/name");
  }
  if (found == 0) return Invalid("remove " + std::string(reference) + ": no such object");
  if (found > 1) {
    return Invalid("remove " + std::string(reference) + ": several groups have it; expected " +
                   std::string(wanted_kind) + ".GROUP/" + std::string(key));
  }
  if (wanted_kind == "Pod") {
    leaving_.erase(std::string(key));
    VolumeController(*objects_).OnGone(gone);
    DeviceController(*objects_).OnGone(gone);
    IndexPods();
    DropOrphanGroups();
  }
  return {};
}

}  // namespace batholith
