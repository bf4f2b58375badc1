#include "plugins/nodegroup/nodegroup.h"

#include <algorithm>
#include <vector>

#include "plugins/nodegroup/limits.h"

namespace batholith {
namespace {

constexpr const char* kGroupLabel = "volcano.sh/nodegroup-name";
constexpr const char* kLimitsNote = "volcano.sh/nodegroup-resource-limits";

bool Has(const std::vector<std::string>& list, const std::string& name) {
  return std::ranges::find(list, name) != list.end();
}

class Nodegroup final : public Plugin,
                        public Predicate,
                        public NodeOrder,
                        public AllocationObserver,
                        public TaskSignature {
 public:
  explicit Nodegroup(const PluginContext& context)
      : snapshot_(context.snapshot),
        strict_(context.args.Bool("strict")),
        preferred_order_(context.args.Bool("enablePreferredOrder")),
        inherit_(context.conf.points.Has(Point::kHierarchy)),
        queues_(context.snapshot.queues.size()) {
    for (std::size_t q = 0; q < queues_.size(); ++q) ReadQueue(q);
    for (std::size_t t = 0; t < snapshot_.tasks.size(); ++t) {
      const TaskStatus s = context.state.status(TaskIndex(t));
      const NodeIndex node = context.state.node(TaskIndex(t));
      if (!node.is_none() && s != TaskStatus::kSucceeded && s != TaskStatus::kFailed)
        Count(TaskIndex(t), node, 1);
    }
  }

  void Sign(TaskIndex task, std::string& out) const override {
    out += std::to_string(QueueOf(task).value());
  }

  Dependence PredicateDependence(TaskIndex task) const override {
    const QueueIndex q = QueueOf(task);
    return !q.is_none() && !queues_[q.value()].limits.empty() ? Dependence::kCluster
                                                              : Dependence::kNode;
  }

  Unfit CheckNode(TaskIndex task, NodeIndex node) const override {
    const QueueIndex q = QueueOf(task);
    if (q.is_none()) return {};
    const Rules& rules = queues_[q.value()];
    if (rules.broken_limits) return {Reason::kNodeGroupBadLimit, false, 0};
    const std::string* group = GroupOf(node);
    const bool no_rules = rules.affinity == nullptr || rules.affinity->empty();
    if (group == nullptr) {
      return !strict_ && no_rules ? Unfit() : Unfit{Reason::kNodeGroupNoLabel, false, 0};
    }
    if (no_rules) return {Reason::kNodeGroupNoAffinity, false, 0};
    const NodeGroupAffinity& a = *rules.affinity;
    const bool wanted = Has(a.required, *group) || Has(a.preferred, *group);
    const bool allowed = (wanted && !Has(a.anti_required, *group)) || Has(a.anti_preferred, *group);
    if (!allowed) return {Reason::kNodeGroupMismatch, false, 0};
    const auto limit = rules.limits.find(*group);
    if (limit == rules.limits.end()) return {};
    const auto used = used_.find({q.value(), *group});
    const ResourceVector& request = snapshot_.task(task).request;
    for (const auto& [name, amount] : limit->second) {
      const auto r = snapshot_.schema.Find(name);
      if (!r || request[*r] <= 0) continue;
      const std::int64_t held = used == used_.end() ? 0 : used->second[*r];
      if (held + request[*r] > amount) return {Reason::kNodeGroupLimit, false, 0};
    }
    return {};
  }

  void Score(TaskIndex task, std::span<const NodeIndex> nodes,
             std::span<double> scores) const override {
    const QueueIndex q = QueueOf(task);
    if (q.is_none() || queues_[q.value()].affinity == nullptr) return;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (const std::string* group = GroupOf(nodes[i]))
        scores[i] += GroupScore(*queues_[q.value()].affinity, *group);
    }
  }

  void OnAllocate(TaskIndex task, NodeIndex node) override { Count(task, node, 1); }
  void OnDeallocate(TaskIndex task, NodeIndex node) override { Count(task, node, -1); }

 private:
  struct Rules {
    const NodeGroupAffinity* affinity = nullptr;
    GroupLimits limits;
    bool broken_limits = false;
  };

  void ReadQueue(std::size_t q) {
    const QueueRecord* record = snapshot_.queues[q].record;
    Rules& rules = queues_[q];
    rules.affinity = &record->affinity;
    if (const auto it = record->meta.annotations.find(kLimitsNote);
        it != record->meta.annotations.end()) {
      std::optional<GroupLimits> limits = ParseGroupLimits(it->second);
      rules.broken_limits = !limits;
      if (limits) rules.limits = std::move(*limits);
    }
    // The nearest ancestor with rules; a cycle or a missing parent ends the walk.
    for (std::size_t step = 0;
         inherit_ && record != nullptr && record->affinity.empty() && step < queues_.size();
         ++step) {
      const std::string parent =
          record->parent.empty() && record->meta.name != "root" ? "root" : record->parent;
      const auto up = std::ranges::find(snapshot_.queues, parent,
                                        [](const QueueFacts& f) { return f.record->meta.name; });
      record = up == snapshot_.queues.end() ? nullptr : up->record;
      if (record != nullptr) rules.affinity = &record->affinity;
    }
  }

  QueueIndex QueueOf(TaskIndex task) const {
    const JobIndex job = snapshot_.task(task).job;
    return job.is_none() ? QueueIndex() : snapshot_.job(job).queue;
  }

  const std::string* GroupOf(NodeIndex node) const {
    const Labels& labels = snapshot_.node(node).record->meta.labels;
    const auto it = labels.find(kGroupLabel);
    return it == labels.end() ? nullptr : &it->second;
  }

  double GroupScore(const NodeGroupAffinity& a, const std::string& group) const {
    double score = Has(a.required, group) ? 100 : 0;
    if (const auto it = std::ranges::find(a.preferred, group); it != a.preferred.end()) {
      const auto n = static_cast<double>(a.preferred.size());
      const auto place = static_cast<double>(it - a.preferred.begin());
      score += preferred_order_ ? 50 * (n - place) / n : 50;
    }
    return Has(a.anti_preferred, group) ? -1 : score;
  }

  void Count(TaskIndex task, NodeIndex node, int sign) {
    const QueueIndex q = QueueOf(task);
    const std::string* group = node.is_none() ? nullptr : GroupOf(node);
    if (q.is_none() || group == nullptr) return;
    ResourceVector& used = used_[{q.value(), *group}];
    if (sign > 0) {
      used += snapshot_.task(task).request;
    } else {
      used -= snapshot_.task(task).request;
    }
  }

  const Snapshot& snapshot_;
  bool strict_, preferred_order_, inherit_;
  std::vector<Rules> queues_;
  std::map<std::pair<std::size_t, std::string>, ResourceVector> used_;
};

}  // namespace

std::unique_ptr<Plugin> MakeNodegroup(const PluginContext& context) {
  return std::make_unique<Nodegroup>(context);
}

}  // namespace batholith
