#include "plugins/predicates/predicates.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>

#include "api/node_match.h"
#include "framework/describe_plugin.h"
#include "plugins/common/device_index.h"
#include "plugins/common/pod_affinity.h"
#include "plugins/common/topology_spread.h"
#include "plugins/common/volume_index.h"
#include "plugins/predicates/options.h"

namespace batholith {
namespace {

constexpr std::string_view kUnschedulableTaint = "node.kubernetes.io/unschedulable";
constexpr std::string_view kNotReadyTaint = "node.kubernetes.io/not-ready";
constexpr std::string_view kUnreachableTaint = "node.kubernetes.io/unreachable";

class Predicates final : public Plugin,
                         public Predicate,
                         public NodeOrder,
                         public AllocationObserver,
                         public TaskSignature {
 public:
  Predicates(const PluginContext& context, const PredicatesOptions& options)
      : snapshot_(context.snapshot),
        state_(context.state),
        rules_(options),
        has_ready_taint_(snapshot_.nodes.size()),
        first_taint_(snapshot_.nodes.size()),
        evicted_(snapshot_.tasks.size()) {
    for (std::size_t n = 0; n < snapshot_.nodes.size(); ++n) ReadNode(n);
    leaving_ =
        static_cast<std::size_t>(std::ranges::count(state_.statuses(), TaskStatus::kReleasing));
    if (snapshot_.volumes_matter && rules_.volumes.any())
      volumes_ = std::make_unique<VolumeIndex>(snapshot_, state_, rules_.volumes);
    if (snapshot_.devices_matter) devices_ = std::make_unique<DeviceIndex>(snapshot_, state_);
    if (!snapshot_.labels_matter || (!rules_.pod_affinity && !rules_.spread)) return;
    index_ = std::make_unique<PodIndex>(snapshot_, state_);
    for (std::size_t c = 0; c < snapshot_.base_classes; ++c) {
      const bool clustered =
          (rules_.pod_affinity && AffinityFilter::Concerns(*index_, ClassIndex(c))) ||
          (rules_.spread && HasSpread(*index_, ClassIndex(c), /*hard=*/true));
      clustered_.push_back(clustered);
    }
  }

  std::unique_ptr<NodeCheck> Prepare(TaskIndex task) const override;

  Dependence PredicateDependence(TaskIndex task) const override {
    const bool volumes = volumes_ != nullptr && volumes_->LooksAround(task);
    const bool devices = devices_ != nullptr && devices_->LooksAround(task);
    return Clustered(task) || volumes || devices ? Dependence::kCluster : Dependence::kNode;
  }

  // By volumes alone, where the conf has a shape for them.
  bool ScoresTasks() const override { return volumes_ != nullptr && rules_.ScoresVolumes(); }
  void Score(TaskIndex task, std::span<const NodeIndex> nodes,
             std::span<double> scores) const override {
    if (!volumes_->LooksAround(task)) volumes_->Score(task, rules_.volume_scoring, nodes, scores);
  }
  void ScoreTogether(TaskIndex task, std::span<const NodeIndex> nodes,
                     std::span<double> scores) override {
    if (volumes_->LooksAround(task)) volumes_->Score(task, rules_.volume_scoring, nodes, scores);
  }
  Dependence ScoreDependence(TaskIndex task) const override { return volumes_->Reach(task); }

  std::string DetailText(const Unfit& unfit) const override {
    if (unfit.reason == Reason::kClaimsNotReady) return volumes_->TextOf(unfit.detail);
    if (unfit.reason == Reason::kDevicesNotReady || unfit.reason == Reason::kDevicePool)
      return devices_->TextOf(unfit);
    return unfit.reason == Reason::kTaint ? taint_texts_[unfit.detail] : std::string();
  }

  void OnAllocate(TaskIndex task, NodeIndex node) override {
    const bool stays_after_all = evicted_[task.value()];
    evicted_[task.value()] = false;
    if (stays_after_all) {
      --leaving_;
      if (index_ != nullptr) index_->Stay(task, node);
      if (volumes_ != nullptr) volumes_->Stay(task, node);
      if (devices_ != nullptr) devices_->Stay(task);
    } else {
      if (index_ != nullptr) index_->Add(task, node);
      if (volumes_ != nullptr) volumes_->Place(task, node);
      if (devices_ != nullptr) devices_->Place(task, node);
    }
  }
  // Who is evicted stands there until his pod has ended.
  void OnDeallocate(TaskIndex task, NodeIndex node) override {
    const bool leaves = state_.status(task) == TaskStatus::kReleasing;
    if (leaves && !evicted_[task.value()]) ++leaving_;
    if (leaves) {
      evicted_[task.value()] = true;
      if (index_ != nullptr) index_->Leave(task, node);
      if (volumes_ != nullptr) volumes_->Leave(task, node);
      if (devices_ != nullptr) devices_->Leave(task);
    } else {
      if (index_ != nullptr) index_->Remove(task, node);
      if (volumes_ != nullptr) volumes_->Remove(task, node);
      if (devices_ != nullptr) devices_->Remove(task);
    }
  }
  void AddVolumes(TaskIndex task, std::vector<VolumeChoice>& out) const override {
    if (volumes_ != nullptr) volumes_->AddChoices(task, out);
  }

  void AddDevices(TaskIndex task, std::vector<DeviceChoice>& out) const override {
    if (devices_ != nullptr) devices_->AddChoices(task, out);
  }

  bool Signs() const override { return volumes_ != nullptr || devices_ != nullptr; }
  void Sign(TaskIndex task, std::string& out) const override {
    if (volumes_ != nullptr) volumes_->Sign(task, out);
    if (devices_ != nullptr) devices_->Sign(task, out);
  }

 private:
  class ClassCheck;

  void ReadNode(std::size_t n) {
    const NodeRecord& node = *snapshot_.nodes[n].record;
    first_taint_[n] = static_cast<std::uint32_t>(taint_ids_.size());
    for (const Taint& taint : node.taints) {
      has_ready_taint_[n] =
          has_ready_taint_[n] || taint.key == kNotReadyTaint || taint.key == kUnreachableTaint;
      const auto [it, added] =
          known_taints_.try_emplace(taint.key + ": " + taint.value, taint_texts_.size());
      if (added) taint_texts_.push_back(it->first);
      taint_ids_.push_back(static_cast<std::uint32_t>(it->second));
    }
  }

  bool Clustered(TaskIndex task) const {
    return index_ != nullptr && clustered_[snapshot_.task(task).base_class.value()];
  }

  // By node, for tasks of these constraints: whether CheckFacts refuses it.
  const std::vector<bool>& RefusedByFacts(TaskIndex task) const {
    const std::string& signature = snapshot_.task(task).record->constraints->signature;
    const auto [it, added] = refused_by_facts_.try_emplace(signature);
    if (added) {
      it->second.reserve(snapshot_.nodes.size());
      for (std::size_t n = 0; n < snapshot_.nodes.size(); ++n)
        it->second.push_back(!CheckFacts(task, NodeIndex(n)).ok());
    }
    return it->second;
  }

  // What cannot change within the session.
  Unfit CheckFacts(TaskIndex task, NodeIndex index) const {
    const NodeRecord& node = *snapshot_.node(index).record;
    const PodConstraints& constraints = *snapshot_.task(task).record->constraints;
    if (node.unschedulable &&
        !Tolerates(constraints.tolerations,
                   Taint{std::string(kUnschedulableTaint), "", TaintEffect::kNoSchedule})) {
      return {Reason::kNodeUnschedulable, false, 0};
    }
    if (rules_.node_affinity && !MatchesNode(constraints, node)) {
      return {Reason::kNodeAffinity, false, 0};
    }
    if (rules_.taints) {
      if (const Taint* taint = UntoleratedTaint(constraints.tolerations, node)) {
        const auto position = static_cast<std::size_t>(taint - node.taints.data());
        return {Reason::kTaint, false, taint_ids_[first_taint_[index.value()] + position]};
      }
    }
    return CheckReady(constraints, index);
  }

  // Where the cluster has tainted the node for it, the taint decides.
  Unfit CheckReady(const PodConstraints& constraints, NodeIndex index) const {
    if (snapshot_.node(index).record->ready) return {};
    if (rules_.taints && has_ready_taint_[index.value()]) return {};
    for (const TaintEffect effect : {TaintEffect::kNoSchedule, TaintEffect::kNoExecute}) {
      if (Tolerates(constraints.tolerations, Taint{std::string(kNotReadyTaint), "", effect})) {
        return {};
      }
    }
    return {Reason::kNodeNotReady, false, 0};
  }

  Unfit CheckSlots(TaskIndex task, NodeIndex node) const {
    constexpr std::size_t kPods = ResourceSchema::kPods;
    const bool fits = !snapshot_.node(node).lists_pods ||
                      snapshot_.task(task).request[kPods] <= state_.future_idle(node)[kPods];
    return fits ? Unfit{} : Unfit{Reason::kTooManyPods, true, 0};
  }

  Unfit CheckPorts(TaskIndex task, NodeIndex node, bool with_leaving) const {
    const std::vector<HostPort>& wanted = snapshot_.task(task).record->constraints->host_ports;
    for (const TaskIndex other : state_.tasks_on(node)) {
      const std::vector<HostPort>& taken = snapshot_.task(other).record->constraints->host_ports;
      if (taken.empty() || !StandsOnNode(state_, other)) continue;
      if (!with_leaving && state_.status(other) == TaskStatus::kReleasing) continue;
      for (const HostPort& want : wanted) {
        if (std::ranges::any_of(taken, [&](const HostPort& t) { return PortsConflict(want, t); })) {
          return {Reason::kHostPort, true, 0};
        }
      }
    }
    return {};
  }

  const Snapshot& snapshot_;
  const SessionState& state_;
  const PredicatesOptions rules_;
  std::vector<bool> has_ready_taint_;       // by NodeIndex
  std::vector<std::uint32_t> first_taint_;  // by NodeIndex: where its taints start in taint_ids_
  std::vector<std::uint32_t> taint_ids_;    // into taint_texts_
  std::vector<std::string> taint_texts_;
  std::map<std::string, std::size_t> known_taints_;
  std::unique_ptr<PodIndex> index_;  // none: nobody asks for pod affinity or spread
  std::vector<bool> clustered_;      // by base class: affinity or spread concerns it
  mutable std::unordered_map<std::string_view, std::vector<bool>> refused_by_facts_;
  std::unique_ptr<VolumeIndex> volumes_;  // none: no pod that waits has volumes
  std::unique_ptr<DeviceIndex> devices_;  // none: no pod that waits has claims for devices
  std::vector<bool> evicted_;             // in this session, by TaskIndex
  std::size_t leaving_ = 0;               // tasks, those of earlier sessions too
};

// One class of tasks. What cannot change is shared by all classes of the same constraints. Where
// affinity or spread concerns it, the pods are counted when they have moved.
class Predicates::ClassCheck final : public NodeCheck {
 public:
  ClassCheck(const Predicates& plugin, TaskIndex task)
      : plugin_(plugin),
        task_(task),
        class_(plugin.snapshot_.task(task).base_class),
        clustered_(plugin.Clustered(task)),
        ports_(plugin.rules_.ports &&
               !plugin.snapshot_.task(task).record->constraints->host_ports.empty()),
        refused_(plugin.RefusedByFacts(task)),
        volumes_(plugin.volumes_.get(), task) {
    if (!clustered_) return;
    if (plugin.rules_.spread && HasSpread(*plugin.index_, class_, /*hard=*/true))
      scope_.emplace(plugin.snapshot_, *plugin.index_, class_, /*hard=*/true);
    Count();
  }

  void Refresh() override {
    if (clustered_ && counted_at_ != plugin_.index_->version()) Count();
  }

  Unfit Check(NodeIndex node) const override { return CheckBeside(node, /*leaving=*/true); }
  Unfit CheckReserved(NodeIndex node) const override {
    return CheckBeside(node, /*leaving=*/false);
  }
  bool LeavingMatter() const override {
    return plugin_.leaving_ > 0 && (clustered_ || ports_ || volumes_.minds_pods());
  }

  Unfit CheckAlone(NodeIndex node) const override {
    const Unfit why = CheckHere(node, /*leaving=*/true);
    return why.ok() ? volumes_.CheckAlone(node, /*with_leaving=*/true) : why;
  }
  bool FixedBeyondRoom() const override { return !ports_ && volumes_.is_fixed(); }
  bool LooksAround() const override { return clustered_ || volumes_.looks_around(); }
  void PassAround(std::span<const NodeIndex> nodes, std::span<std::uint8_t> passes) const override {
    volumes_.PassAround(nodes, passes);
    if (!clustered_) return;
    affinity_.Pass(nodes, passes);
    spread_.Pass(nodes, passes);
  }

  void AddHardSpread(std::vector<HardSpread>& out) const override {
    if (scope_) AppendHardSpread(*plugin_.index_, *scope_, out);
  }

 private:
  // Beside the pods that stand on the node, those that are leaving or not.
  Unfit CheckHere(NodeIndex node, bool leaving) const {
    if (refused_[node.value()]) return plugin_.CheckFacts(task_, node);
    const Unfit why = plugin_.CheckSlots(task_, node);
    return why.ok() && ports_ ? plugin_.CheckPorts(task_, node, leaving) : why;
  }

  // And beside those on other nodes.
  Unfit CheckBeside(NodeIndex node, bool leaving) const {
    Unfit why = CheckHere(node, leaving);
    if (why.ok() && volumes_.asks()) why = volumes_.Check(node, leaving);
    if (!why.ok() || !clustered_) return why;
    why = leaving || plugin_.leaving_ == 0 ? affinity_.Check(node) : reserved_.Check(node);
    return why.ok() ? spread_.Check(node) : why;
  }

  void Count() {
    const PodIndex& index = *plugin_.index_;
    counted_at_ = index.version();
    if (plugin_.rules_.pod_affinity) {
      affinity_ = AffinityFilter(index, class_, /*with_leaving=*/true);
      if (plugin_.leaving_ > 0) reserved_ = AffinityFilter(index, class_, /*with_leaving=*/false);
    }
    if (scope_) spread_ = SpreadFilter(*plugin_.index_, *scope_);
  }

  const Predicates& plugin_;
  const TaskIndex task_;
  const ClassIndex class_;
  const bool clustered_;
  const bool ports_;  // it wants ports of its node
  const std::vector<bool>& refused_;
  const VolumeCheck volumes_;
  std::optional<SpreadScope> scope_;
  std::uint64_t counted_at_ = 0;
  AffinityFilter affinity_;
  AffinityFilter reserved_;  // as affinity_, without the pods that are leaving
  SpreadFilter spread_;
};

std::unique_ptr<NodeCheck> Predicates::Prepare(TaskIndex task) const {
  std::unique_ptr<NodeCheck> check = std::make_unique<ClassCheck>(*this, task);
  return devices_ == nullptr ? std::move(check) : devices_->AddTo(std::move(check), task, leaving_);
}

}  // namespace

PluginDescriptor PredicatesPlugin() {
  return DescribePlugin<Predicates, ReadPredicatesOptions>({
      .name = "predicates",
      .summary = "filters nodes as kube-scheduler does",
      .arguments = PredicatesArguments(),
      .retired = PredicatesRetired(),
  });
}

}  // namespace batholith
