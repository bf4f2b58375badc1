#include "actions/autoscale/nodes.h"

#include <map>
#include <string>

#include "actions/common/node_state.h"
#include "actions/common/spare_room.h"
#include "actions/common/task_state.h"

namespace batholith {
namespace {

constexpr const char* kSafeToEvict = "cluster-autoscaler.kubernetes.io/safe-to-evict";
constexpr const char* kSafeVolumes = "cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes";
constexpr const char* kScaleDownDisabled = "cluster-autoscaler.kubernetes.io/scale-down-disabled";
constexpr const char* kRestartable = "slack.batholith.dev/restartable";
constexpr const char* kMirrorPod = "kubernetes.io/config.mirror";
// Beyond its grace period.
constexpr TimeNs kLongTerminating = 30'000'000'000;

std::string AnnotationOf(const ObjectMeta& meta, const char* key) {
  const auto it = meta.annotations.find(key);
  return it == meta.annotations.end() ? "" : it->second;
}

bool IsMirror(const PodRecord& pod) { return pod.meta.annotations.contains(kMirrorPod); }

PodVolumeFacts VolumeFacts(const LocalVolume& volume) {
  using Kind = PodVolumeFacts::Kind;
  switch (volume.kind) {
    case LocalVolume::Kind::kMemory:
      return {volume.name, Kind::kEmptyDirInMemory};
    case LocalVolume::Kind::kHostPath:
      return {volume.name, Kind::kHostPath};
    case LocalVolume::Kind::kEmptyDir:
      break;
  }
  return {volume.name, Kind::kEmptyDir};
}

}  // namespace

SessionNodes::SessionNodes(Session& session, const SessionGroups& groups,
                           const std::vector<ShapeOwner>& owners)
    : session_(session),
      snapshot_(session.snapshot()),
      groups_(groups),
      owners_(owners),
      budgets_(*snapshot_.objects) {}

void SessionNodes::Fill(AutoscaleInput& input) {
  const SpareRoom spare(session_);
  input.nodes.resize(snapshot_.nodes.size());
  for (std::size_t n = 0; n < snapshot_.nodes.size(); ++n) {
    const NodeRecord& record = *snapshot_.nodes[n].record;
    AutoscaleNode& node = input.nodes[n];
    node.name = record.meta.name;
    node.group = groups_.of_node[n];
    node.creation = record.meta.creation;
    node.ready = record.ready;
    node.schedulable = !record.unschedulable;
    node.deleting = IsGoing(record);
    node.scale_down_disabled =
        AnnotationOf(record.meta, kScaleDownDisabled) == "true" ||
        (node.group != AutoscaleNode::kNoGroup && groups_.rolling_out[node.group]);
    node.allocatable = snapshot_.nodes[n].allocatable;
    node.free = spare.Of(NodeIndex(n));
  }
  AddTasks(input.nodes);
  AddPlaceholders(input.nodes);
  for (std::size_t r = 0; r < snapshot_.schema.size(); ++r) {
    if (snapshot_.schema.name(r).ends_with("/gpu")) input.gpu_dimensions.push_back(r);
  }
  input.shape_fits = [this](std::size_t shape, std::size_t node) {
    return ShapeFits(shape, NodeIndex(node));
  };
  input.pod_fits = [this](std::size_t pod, std::size_t node) {
    return PodFits(TaskIndex(pod), NodeIndex(node));
  };
  input.pods_of = [this](std::size_t node) { return PodsOf(NodeIndex(node)); };
}

void SessionNodes::AddTasks(std::vector<AutoscaleNode>& nodes) const {
  for (std::size_t t = 0; t < snapshot_.tasks.size(); ++t) {
    const NodeIndex place = session_.state().node(TaskIndex(t));
    const TaskStatus status = session_.state().status(TaskIndex(t));
    if (place.is_none() || status == TaskStatus::kPipelined || IsFinished(status)) continue;
    const TaskFacts& task = snapshot_.tasks[t];
    AutoscaleNode& node = nodes[place.value()];
    node.requested += task.request;
    if (!task.daemon) {
      ++node.pods;
    } else if (IsMirror(*task.record)) {
      node.mirror_requested += task.request;
    } else {
      node.daemon_requested += task.request;
    }
  }
}

void SessionNodes::AddPlaceholders(std::vector<AutoscaleNode>& nodes) const {
  std::map<std::string_view, std::size_t> by_name;
  const SlackReport& slack = session_.result().slack;
  if (!slack.sources.empty()) {
    for (std::size_t n = 0; n < nodes.size(); ++n) by_name[nodes[n].name] = n;
  }
  for (std::size_t shape = 0; shape < owners_.size(); ++shape) {
    if (owners_[shape].source == SIZE_MAX) continue;
    const PlaceholderSource& source = slack.sources[owners_[shape].source];
    if (source.expendable) continue;
    for (const std::string& name : source.nodes) {
      if (name.empty()) continue;
      std::vector<PlaceholderCount>& here = nodes[by_name.at(name)].placeholders;
      if (here.empty() || here.back().shape != shape) here.push_back({shape, 0});
      ++here.back().count;
    }
  }
}

// Nothing moves while nodes are decided about.
const NodeChecks& SessionNodes::ChecksFor(TaskIndex task) {
  if (checked_ != task) checks_ = &session_.checks().Of(task);
  checked_ = task;
  return *checks_;
}

bool SessionNodes::ShapeFits(std::size_t shape, NodeIndex node) {
  const ShapeOwner& owner = owners_[shape];
  const NodeFacts& facts = snapshot_.node(node);
  if (owner.sample.is_none()) return TakesSlack(facts);
  if (!facts.usable || IsGoing(*facts.record)) return false;
  const NodeChecks& checks = ChecksFor(owner.sample);
  // Placeholders count in their own spread: the shape says where it is closed.
  return (owner.source == SIZE_MAX ? checks.Check(node) : checks.CheckUnspread(node)).ok();
}

bool SessionNodes::PodFits(TaskIndex pod, NodeIndex node) {
  const NodeFacts& facts = snapshot_.node(node);
  if (!facts.usable || IsGoing(*facts.record)) return false;
  return ChecksFor(pod).Check(node).ok();
}

std::vector<NodePod> SessionNodes::PodsOf(NodeIndex node) const {
  std::vector<TaskIndex> tasks;
  for (const TaskIndex task : session_.state().tasks_on(node)) {
    const bool counts = session_.state().status(task) != TaskStatus::kPipelined;
    if (counts && (!snapshot_.task(task).daemon || IsMirror(*snapshot_.task(task).record)))
      tasks.push_back(task);
  }
  std::ranges::sort(tasks);
  std::vector<NodePod> out;
  for (const TaskIndex task : tasks)
    out.push_back({task.value(), snapshot_.task(task).request, DrainFacts(snapshot_.task(task))});
  return out;
}

PodDrainFacts SessionNodes::DrainFacts(const TaskFacts& task) const {
  const PodRecord& pod = *task.record;
  PodDrainFacts out;
  out.owner_kind = pod.meta.owner->kind;
  out.mirror = IsMirror(pod);
  out.finished = pod.phase == PodPhase::kSucceeded || pod.phase == PodPhase::kFailed;
  out.long_terminating = pod.deletion != 0 && snapshot_.now > pod.deletion + kLongTerminating;
  out.namespace_ = pod.meta.namespace_;
  out.age = snapshot_.now - pod.meta.creation;
  out.safe_to_evict = AnnotationOf(pod.meta, kSafeToEvict);
  out.safe_local_volumes = AnnotationOf(pod.meta, kSafeVolumes);
  for (const LocalVolume& volume : pod.local_volumes) out.volumes.push_back(VolumeFacts(volume));
  for (const std::size_t budget : budgets_.Covering(pod)) {
    out.pdbs.push_back(
        {snapshot_.objects->disruption_budgets[budget].meta.Key(), budgets_.allowed()[budget]});
  }
  if (!task.job.is_none()) {
    const JobFacts& job = snapshot_.job(task.job);
    if (!job.record->made_for_pod) {
      out.gang = GangFacts{job.key, session_.state().job(task.job).Ready(), job.min_available,
                           AnnotationOf(job.record->meta, kRestartable) == "true"};
    }
  }
  return out;
}

}  // namespace batholith
