#include "plugins/predicates/predicates.h"

#include <algorithm>

#include "api/node_match.h"
#include "plugins/common/pod_affinity.h"
#include "plugins/common/topology_spread.h"

namespace batholith {
namespace {

constexpr std::string_view kUnschedulableTaint = "node.kubernetes.io/unschedulable";
constexpr std::string_view kNotReadyTaint = "node.kubernetes.io/not-ready";
constexpr std::string_view kUnreachableTaint = "node.kubernetes.io/unreachable";

class Predicates final : public Plugin, public Predicate, public AllocationObserver {
 public:
  explicit Predicates(const PluginContext& context)
      : snapshot_(context.snapshot),
        state_(context.state),
        node_affinity_(context.args.Bool("predicate.NodeAffinityEnable")),
        ports_(context.args.Bool("predicate.NodePortsEnable")),
        taints_(context.args.Bool("predicate.TaintTolerationEnable")),
        pod_affinity_(context.args.Bool("predicate.PodAffinityEnable")),
        spread_(context.args.Bool("predicate.PodTopologySpreadEnable")),
        lists_pods_(snapshot_.nodes.size()),
        has_ready_taint_(snapshot_.nodes.size()),
        first_taint_(snapshot_.nodes.size()) {
    for (std::size_t n = 0; n < snapshot_.nodes.size(); ++n) ReadNode(n);
    if (!snapshot_.labels_matter || (!pod_affinity_ && !spread_)) return;
    index_ = std::make_unique<PodIndex>(snapshot_, state_);
    for (std::size_t c = 0; c < snapshot_.base_classes; ++c) {
      const bool clustered = (pod_affinity_ && AffinityFilter::Concerns(*index_, ClassIndex(c))) ||
                             (spread_ && HasSpread(*index_, ClassIndex(c), /*hard=*/true));
      clustered_.push_back(clustered);
    }
    fixed_.resize(snapshot_.base_classes);
    scopes_.resize(snapshot_.base_classes);
  }

  void Prepare(TaskIndex task) override {
    if (!Clustered(task)) return;
    std::vector<Unfit>& fixed = fixed_[snapshot_.task(task).base_class.value()];
    if (fixed.empty()) {
      fixed.reserve(snapshot_.nodes.size());
      for (std::size_t n = 0; n < snapshot_.nodes.size(); ++n) {
        fixed.push_back(CheckFacts(task, NodeIndex(n)));
      }
    }
    PrepareCounts(task);
  }

  Unfit CheckNode(TaskIndex task, NodeIndex node) const override {
    const bool clustered = Clustered(task);
    const std::size_t c = snapshot_.task(task).base_class.value();
    Unfit why = clustered && !fixed_[c].empty() ? fixed_[c][node.value()] : CheckFacts(task, node);
    if (why.ok()) why = CheckSlots(task, node);
    if (why.ok() && ports_) why = CheckPorts(task, node);
    if (!why.ok() || !clustered) return why;
    PrepareCounts(task);
    why = affinity_now_.Check(node);
    return why.ok() ? spread_now_.Check(node) : why;
  }

  Dependence PredicateDependence(TaskIndex task) const override {
    return Clustered(task) ? Dependence::kCluster : Dependence::kNode;
  }

  void AddHardSpread(TaskIndex task, std::vector<HardSpread>& out) const override {
    const ClassIndex c = snapshot_.task(task).base_class;
    if (index_ == nullptr || !spread_ || !HasSpread(*index_, c, /*hard=*/true)) return;
    AppendHardSpread(*index_, ScopeOf(c), out);
  }

  std::string DetailText(const Unfit& unfit) const override {
    return unfit.reason == Reason::kTaint ? taint_texts_[unfit.detail] : std::string();
  }

  void OnAllocate(TaskIndex task, NodeIndex node) override {
    if (index_ != nullptr) index_->Add(task, node);
  }
  void OnDeallocate(TaskIndex task, NodeIndex node) override {
    if (index_ != nullptr) index_->Remove(task, node);
  }

 private:
  void ReadNode(std::size_t n) {
    const NodeRecord& node = *snapshot_.nodes[n].record;
    lists_pods_[n] = node.allocatable.contains("pods");
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

  // What cannot change within the session.
  Unfit CheckFacts(TaskIndex task, NodeIndex index) const {
    const NodeRecord& node = *snapshot_.node(index).record;
    const PodConstraints& constraints = *snapshot_.task(task).record->constraints;
    if (node.unschedulable &&
        !Tolerates(constraints.tolerations,
                   Taint{std::string(kUnschedulableTaint), "", TaintEffect::kNoSchedule})) {
      return {Reason::kNodeUnschedulable, false, 0};
    }
    if (node_affinity_ && !MatchesNode(constraints, node)) {
      return {Reason::kNodeAffinity, false, 0};
    }
    if (taints_) {
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
    if (taints_ && has_ready_taint_[index.value()]) return {};
    for (const TaintEffect effect : {TaintEffect::kNoSchedule, TaintEffect::kNoExecute}) {
      if (Tolerates(constraints.tolerations, Taint{std::string(kNotReadyTaint), "", effect})) {
        return {};
      }
    }
    return {Reason::kNodeNotReady, false, 0};
  }

  Unfit CheckSlots(TaskIndex task, NodeIndex node) const {
    constexpr std::size_t kPods = ResourceSchema::kPods;
    const bool fits = !lists_pods_[node.value()] ||
                      snapshot_.task(task).request[kPods] <= state_.future_idle(node)[kPods];
    return fits ? Unfit{} : Unfit{Reason::kTooManyPods, true, 0};
  }

  Unfit CheckPorts(TaskIndex task, NodeIndex node) const {
    const std::vector<HostPort>& wanted = snapshot_.task(task).record->constraints->host_ports;
    if (wanted.empty()) return {};
    for (const TaskIndex other : state_.tasks_on(node)) {
      const std::vector<HostPort>& taken = snapshot_.task(other).record->constraints->host_ports;
      if (taken.empty() || !StandsOnNode(snapshot_, state_, other)) continue;
      for (const HostPort& want : wanted) {
        if (std::ranges::any_of(taken, [&](const HostPort& t) { return PortsConflict(want, t); })) {
          return {Reason::kHostPort, true, 0};
        }
      }
    }
    return {};
  }

  // Counts are of one moment: a check after the next placement counts anew.
  void PrepareCounts(TaskIndex task) const {
    const ClassIndex c = snapshot_.task(task).base_class;
    if (counts_of_ == c && counted_at_ == index_->version()) return;
    counts_of_ = c;
    counted_at_ = index_->version();
    affinity_now_ = pod_affinity_ ? AffinityFilter(*index_, c) : AffinityFilter();
    spread_now_ = SpreadFilter();
    if (!spread_ || !HasSpread(*index_, c, /*hard=*/true)) return;
    spread_now_ = SpreadFilter(*index_, ScopeOf(c));
  }

  const SpreadScope& ScopeOf(ClassIndex c) const {
    std::unique_ptr<SpreadScope>& scope = scopes_[c.value()];
    if (scope == nullptr) {
      scope = std::make_unique<SpreadScope>(snapshot_, *index_, c, /*hard=*/true);
    }
    return *scope;
  }

  const Snapshot& snapshot_;
  const SessionState& state_;
  const bool node_affinity_;
  const bool ports_;
  const bool taints_;
  const bool pod_affinity_;
  const bool spread_;
  std::vector<bool> lists_pods_;            // by NodeIndex
  std::vector<bool> has_ready_taint_;       // by NodeIndex
  std::vector<std::uint32_t> first_taint_;  // by NodeIndex: where its taints start in taint_ids_
  std::vector<std::uint32_t> taint_ids_;    // into taint_texts_
  std::vector<std::string> taint_texts_;
  std::map<std::string, std::size_t> known_taints_;
  std::unique_ptr<PodIndex> index_;        // none: nobody asks for pod affinity or spread
  std::vector<bool> clustered_;            // by base class: affinity or spread concerns it
  std::vector<std::vector<Unfit>> fixed_;  // by base class and NodeIndex: CheckFacts, if clustered
  mutable std::vector<std::unique_ptr<SpreadScope>> scopes_;  // by base class
  mutable ClassIndex counts_of_;
  mutable std::uint64_t counted_at_ = 0;
  mutable AffinityFilter affinity_now_;
  mutable SpreadFilter spread_now_;
};

}  // namespace

std::unique_ptr<Plugin> MakePredicates(const PluginContext& context) {
  return std::make_unique<Predicates>(context);
}

}  // namespace batholith
