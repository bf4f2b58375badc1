#include "plugins/predicates/predicates.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "plugins/common/domains.h"

namespace batholith {
namespace {

constexpr const char* kUnschedulableTaint = "node.kubernetes.io/unschedulable";
constexpr const char* kNotReadyTaint = "node.kubernetes.io/not-ready";

class Predicates final : public Plugin, public Predicate {
 public:
  explicit Predicates(const PluginContext& context)
      : snapshot_(context.snapshot),
        state_(context.state),
        node_affinity_(context.args.Bool("predicate.NodeAffinityEnable")),
        ports_(context.args.Bool("predicate.NodePortsEnable")),
        taints_(context.args.Bool("predicate.TaintTolerationEnable")),
        pod_affinity_(context.args.Bool("predicate.PodAffinityEnable")),
        spread_(context.args.Bool("predicate.PodTopologySpreadEnable")) {
    for (const TaskFacts& task : snapshot_.tasks) {
      if (!task.record->constraints->required_anti_affinity.empty()) anybody_refuses_ = true;
    }
    for (const NodeFacts& node : snapshot_.nodes) {
      for (const Taint& taint : node.record->taints) TaintId(taint);
    }
  }

  Dependence PredicateDependence(TaskIndex task) const override {
    return NeedsCounts(task) || NeedsSpread(task) ? Dependence::kCluster : Dependence::kNode;
  }

  void Prepare(TaskIndex task) override {
    affinity_.reset();
    spread_counts_.clear();
    if (NeedsCounts(task)) affinity_ = CountAffinity(snapshot_, state_, task);
    if (NeedsSpread(task)) spread_counts_ = CountSpread(snapshot_, state_, task, /*hard=*/true);
  }

  Unfit CheckNode(TaskIndex task, NodeIndex node) const override {
    const NodeFacts& facts = snapshot_.node(node);
    const PodConstraints& c = *snapshot_.task(task).record->constraints;
    if (facts.allocatable[ResourceSchema::kPods] <= 0 ||
        state_.future_idle(node)[ResourceSchema::kPods] < 1) {
      return {Reason::kTooManyPods, true, 0};
    }
    if (facts.record->unschedulable &&
        !Tolerates(c.tolerations, {kUnschedulableTaint, "", TaintEffect::kNoSchedule})) {
      return {Reason::kNodeUnschedulable, false, 0};
    }
    if (node_affinity_ && !MatchesNode(c, *facts.record)) return {Reason::kNodeAffinity, false, 0};
    if (const Unfit why = CheckTaints(c, *facts.record); !why.ok()) return why;
    if (ports_ && !c.host_ports.empty() && !PortsFree(task, node))
      return {Reason::kHostPort, true, 0};
    if (affinity_) {
      if (const Unfit why = CheckAffinity(c, *facts.record); !why.ok()) return why;
    }
    return spread_counts_.empty() ? Unfit() : CheckSpread(task, *facts.record);
  }

  std::string DetailText(const Unfit& unfit) const override {
    return unfit.reason == Reason::kTaint ? taint_texts_[unfit.detail] : std::string();
  }

 private:
  bool NeedsCounts(TaskIndex task) const {
    if (!pod_affinity_ || !snapshot_.labels_matter) return false;
    const PodConstraints& c = *snapshot_.task(task).record->constraints;
    return anybody_refuses_ || !c.required_affinity.empty();
  }
  bool NeedsSpread(TaskIndex task) const {
    if (!spread_) return false;
    const auto& all = snapshot_.task(task).record->constraints->topology_spread;
    return std::ranges::any_of(all, &TopologySpread::hard);
  }

  std::uint32_t TaintId(const Taint& taint) {
    const std::string text = "{" + taint.key + ": " + taint.value + "}";
    const auto it = std::ranges::find(taint_texts_, text);
    if (it == taint_texts_.end()) taint_texts_.push_back(text);
    return static_cast<std::uint32_t>(it - taint_texts_.begin());
  }

  Unfit CheckTaints(const PodConstraints& c, const NodeRecord& node) const {
    bool says_not_ready = false;
    for (const Taint& taint : node.taints) {
      says_not_ready = says_not_ready || taint.key == kNotReadyTaint ||
                       taint.key == "node.kubernetes.io/unreachable";
      if (!taints_ || taint.effect == TaintEffect::kPreferNoSchedule ||
          Tolerates(c.tolerations, taint))
        continue;
      const auto it = std::ranges::find(taint_texts_, "{" + taint.key + ": " + taint.value + "}");
      return {Reason::kTaint, false, static_cast<std::uint32_t>(it - taint_texts_.begin())};
    }
    // Without its taint the condition alone still keeps pods off.
    if (!node.ready && !says_not_ready &&
        !Tolerates(c.tolerations, {kNotReadyTaint, "", TaintEffect::kNoSchedule})) {
      return {Reason::kNodeNotReady, false, 0};
    }
    return {};
  }

  bool PortsFree(TaskIndex task, NodeIndex node) const {
    const auto clash = [](const HostPort& a, const HostPort& b) {
      return a.port == b.port && a.protocol == b.protocol &&
             (a.ip == b.ip || a.ip == "0.0.0.0" || b.ip == "0.0.0.0");
    };
    for (const TaskIndex other : state_.tasks_on(node)) {
      const bool evicted = state_.status(other) == TaskStatus::kReleasing &&
                           snapshot_.task(other).status != TaskStatus::kReleasing;
      if (evicted || other == task) continue;
      for (const HostPort& theirs : snapshot_.task(other).record->constraints->host_ports) {
        for (const HostPort& ours : snapshot_.task(task).record->constraints->host_ports) {
          if (clash(ours, theirs)) return false;
        }
      }
    }
    return true;
  }

  Unfit CheckAffinity(const PodConstraints& c, const NodeRecord& node) const {
    for (const auto& [domain, n] : affinity_->existing_anti) {
      const std::string* value = LabelOf(node, domain.first);
      if (value != nullptr && *value == domain.second)
        return {Reason::kExistingAntiAffinity, true, 0};
    }
    const auto count = [&](const DomainCounts& counts, const std::string& key) -> std::int64_t {
      const std::string* value = LabelOf(node, key);
      if (value == nullptr) return -1;
      const auto it = counts.find({key, *value});
      return it == counts.end() ? 0 : it->second;
    };
    for (std::size_t i = 0; i < c.required_anti_affinity.size(); ++i) {
      if (count(affinity_->anti_affinity[i], c.required_anti_affinity[i].topology_key) > 0) {
        return {Reason::kPodAntiAffinity, true, 0};
      }
    }
    for (std::size_t i = 0; i < c.required_affinity.size(); ++i) {
      const std::int64_t n = count(affinity_->affinity[i], c.required_affinity[i].topology_key);
      // The first pod of a group that wants its own company may start it anywhere.
      const bool first_of_group = !affinity_->anybody && affinity_->self_match;
      if (n < 0 || (n == 0 && !first_of_group)) return {Reason::kPodAffinity, false, 0};
    }
    return {};
  }

  Unfit CheckSpread(TaskIndex task, const NodeRecord& node) const {
    const PodRecord& pod = *snapshot_.task(task).record;
    std::size_t i = 0;
    for (const TopologySpread& s : pod.constraints->topology_spread) {
      if (!s.hard) continue;
      const SpreadCounts& counts = spread_counts_[i++];
      const std::string* value = LabelOf(node, s.topology_key);
      if (value == nullptr) return {Reason::kTopologySpreadNoLabel, false, 0};
      const bool self = s.selector && MatchesSelector(*s.selector, pod.meta.labels);
      const auto it = counts.by_value.find(*value);
      const std::int64_t here = it == counts.by_value.end() ? 0 : it->second;
      if (here + (self ? 1 : 0) - counts.least > s.max_skew)
        return {Reason::kTopologySpread, true, 0};
    }
    return {};
  }

  const Snapshot& snapshot_;
  const SessionState& state_;
  bool node_affinity_, ports_, taints_, pod_affinity_, spread_;
  bool anybody_refuses_ = false;
  std::vector<std::string> taint_texts_;
  std::optional<AffinityCounts> affinity_;  // of the prepared task
  std::vector<SpreadCounts> spread_counts_;
};

}  // namespace

std::unique_ptr<Plugin> MakePredicates(const PluginContext& context) {
  return std::make_unique<Predicates>(context);
}

}  // namespace batholith
