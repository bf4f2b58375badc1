#include "plugins/nodegroup/nodegroup.h"

#include <algorithm>
#include <map>

#include "framework/describe_plugin.h"
#include "plugins/nodegroup/limits.h"
#include "plugins/nodegroup/options.h"

namespace batholith {
namespace {

constexpr std::string_view kGroupLabel = "volcano.sh/nodegroup-name";
constexpr std::string_view kLimitsKey = "volcano.sh/nodegroup-resource-limits";
constexpr std::string_view kRootQueue = "root";
constexpr std::uint32_t kNoGroup = 0xffffffffU;
constexpr double kRequiredScore = 100;
constexpr double kPreferredScore = 50;
constexpr double kAvoidedScore = -1;

std::optional<std::size_t> Position(const std::vector<std::string>& names,
                                    const std::string& name) {
  const auto it = std::ranges::find(names, name);
  if (it == names.end()) return std::nullopt;
  return static_cast<std::size_t>(it - names.begin());
}

class Nodegroup final : public Plugin,
                        public Predicate,
                        public NodeOrder,
                        public AllocationObserver,
                        public TaskSignature {
 public:
  Nodegroup(const PluginContext& context, const NodegroupOptions& options)
      : snapshot_(context.snapshot),
        state_(context.state),
        strict_(options.strict),
        ordered_(options.preferred_order) {
    for (const NodeFacts& node : snapshot_.nodes) group_of_node_.push_back(GroupOf(*node.record));
    const bool hierarchy = context.points.Has(Point::kHierarchy);
    std::map<std::string_view, const QueueRecord*> by_name;
    for (const QueueFacts& queue : snapshot_.queues)
      by_name[queue.record->meta.name] = queue.record;
    for (const QueueFacts& facts : snapshot_.queues) {
      const QueueRecord* rules = hierarchy ? Nearest(facts.record, by_name) : facts.record;
      queues_.push_back(MakeQueue(facts, rules->affinity));
    }
    for (std::size_t t = 0; t < snapshot_.tasks.size(); ++t) {
      const TaskStatus status = state_.status(TaskIndex(t));
      const bool holds = HoldsAllocation(status) || status == TaskStatus::kPipelined ||
                         status == TaskStatus::kReleasing || status == TaskStatus::kUnknown;
      if (holds) OnAllocate(TaskIndex(t), state_.node(TaskIndex(t)));
    }
  }

  std::unique_ptr<NodeCheck> Prepare(TaskIndex task) const override {
    const QueueIndex q = QueueOf(task);
    if (q.is_none()) return nullptr;
    return MakeNodeCheck([this, &queue = queues_[q.value()],
                          &request = snapshot_.task(task).request](NodeIndex node) {
      return CheckNode(queue, request, node);
    });
  }

  // A limit is of all the nodes of a group together.
  Dependence PredicateDependence(TaskIndex task) const override {
    const QueueIndex q = QueueOf(task);
    return !q.is_none() && queues_[q.value()].limited ? Dependence::kCluster : Dependence::kNode;
  }

  void Score(TaskIndex task, std::span<const NodeIndex> nodes,
             std::span<double> scores) const override {
    const QueueIndex q = QueueOf(task);
    if (q.is_none()) return;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::uint32_t group = group_of_node_[nodes[i].value()];
      if (group != kNoGroup) scores[i] += queues_[q.value()].groups[group].score;
    }
  }

  void OnAllocate(TaskIndex task, NodeIndex node) override {
    if (Group* group = LimitedGroup(task, node)) group->allocated += snapshot_.task(task).request;
  }
  void OnDeallocate(TaskIndex task, NodeIndex node) override {
    if (Group* group = LimitedGroup(task, node)) group->allocated -= snapshot_.task(task).request;
  }

  void Sign(TaskIndex task, std::string& out) const override {
    const QueueIndex q = QueueOf(task);
    if (!q.is_none()) out += std::to_string(q.value());
  }

 private:
  struct Group {  // what one queue has to do with one node group
    bool allowed = false;
    double score = 0;
    std::optional<ResourceLimits> limit;
    ResourceVector allocated;  // kept where there is a limit
  };
  struct Queue {
    bool has_rules = false;
    bool bad_limits = false;
    bool limited = false;
    std::vector<Group> groups;  // by index into groups_
  };

  Unfit CheckNode(const Queue& queue, const ResourceVector& request, NodeIndex node) const {
    if (queue.bad_limits) return {Reason::kNodeGroupBadLimit, false, 0};
    const std::uint32_t group = group_of_node_[node.value()];
    if (group == kNoGroup) {
      const bool open = !strict_ && !queue.has_rules;
      return open ? Unfit{} : Unfit{Reason::kNodeGroupNoLabel, false, 0};
    }
    if (!queue.has_rules) return {Reason::kNodeGroupNoAffinity, false, 0};
    if (!queue.groups[group].allowed) return {Reason::kNodeGroupMismatch, false, 0};
    const bool fits = WithinLimit(queue.groups[group], request);
    return fits ? Unfit{} : Unfit{Reason::kNodeGroupLimit, false, 0};
  }

  std::uint32_t GroupOf(const NodeRecord& node) {
    const auto label = node.meta.labels.find(kGroupLabel);
    if (label == node.meta.labels.end()) return kNoGroup;
    if (const auto known = Position(groups_, label->second)) {
      return static_cast<std::uint32_t>(*known);
    }
    groups_.push_back(label->second);
    return static_cast<std::uint32_t>(groups_.size() - 1);
  }

  // The queue itself or the nearest ancestor that has rules. A parent that is not named, or that is
  // missing, is the root.
  static const QueueRecord* Nearest(const QueueRecord* queue,
                                    const std::map<std::string_view, const QueueRecord*>& by_name) {
    const QueueRecord* at = queue;
    for (std::size_t steps = 0; steps <= by_name.size(); ++steps) {  // bounded: trees may be broken
      if (!at->affinity.empty()) return at;
      if (at->meta.name == kRootQueue) break;
      auto parent = by_name.find(at->parent);
      if (parent == by_name.end()) parent = by_name.find(kRootQueue);
      if (parent == by_name.end()) break;
      at = parent->second;
    }
    return queue;
  }

  Queue MakeQueue(const QueueFacts& facts, const NodeGroupAffinity& rules) const {
    Queue queue;
    queue.has_rules = !rules.empty();
    for (const std::string& name : groups_) queue.groups.push_back(MakeGroup(name, rules));
    const Labels& annotations = facts.record->meta.annotations;
    const auto text = annotations.find(kLimitsKey);
    if (text == annotations.end() || text->second.empty()) return queue;
    const Result<GroupLimits> limits = ParseGroupLimits(text->second);
    queue.bad_limits = !limits;
    if (!limits) return queue;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const auto list = limits->find(groups_[g]);
      if (list == limits->end()) continue;
      queue.limited = true;
      ResourceLimits& limit = queue.groups[g].limit.emplace();
      for (const auto& [name, amount] : list->second) {
        if (const auto r = snapshot_.schema.Find(name)) limit[*r] = amount;
      }
    }
    return queue;
  }

  Group MakeGroup(const std::string& name, const NodeGroupAffinity& rules) const {
    Group group;
    const bool required = Position(rules.required, name).has_value();
    const auto preferred = Position(rules.preferred, name);
    const bool excluded = Position(rules.anti_required, name).has_value();
    const bool avoided = Position(rules.anti_preferred, name).has_value();
    group.allowed = ((required || preferred) && !excluded) || avoided;
    if (required) group.score += kRequiredScore;
    if (preferred) {
      const auto n = static_cast<double>(rules.preferred.size());
      const double rank = ordered_ ? (n - static_cast<double>(*preferred)) / n : 1;
      group.score += kPreferredScore * rank;
    }
    if (avoided) group.score = kAvoidedScore;
    return group;
  }

  bool WithinLimit(const Group& group, const ResourceVector& request) const {
    if (!group.limit) return true;
    for (std::size_t r = 0; r < snapshot_.schema.size(); ++r) {
      if (request[r] <= 0) continue;
      if (ResourceVector::AddSaturating(group.allocated[r], request[r]) > (*group.limit)[r]) {
        return false;
      }
    }
    return true;
  }

  QueueIndex QueueOf(TaskIndex task) const {
    const JobIndex job = snapshot_.task(task).job;
    return job.is_none() ? QueueIndex::None() : snapshot_.job(job).queue;
  }

  Group* LimitedGroup(TaskIndex task, NodeIndex node) {
    const QueueIndex q = QueueOf(task);
    if (q.is_none() || node.is_none() || !queues_[q.value()].limited) return nullptr;
    const std::uint32_t group = group_of_node_[node.value()];
    return group == kNoGroup ? nullptr : &queues_[q.value()].groups[group];
  }

  const Snapshot& snapshot_;
  const SessionState& state_;
  const bool strict_;
  const bool ordered_;
  std::vector<std::string> groups_;           // names, in node order
  std::vector<std::uint32_t> group_of_node_;  // by NodeIndex, into groups_
  std::vector<Queue> queues_;                 // by QueueIndex
};

}  // namespace

PluginDescriptor NodegroupPlugin() {
  return DescribePlugin<Nodegroup, ReadNodegroupOptions>({
      .name = "nodegroup",
      .summary = "ties queues to groups of nodes",
      .arguments = NodegroupArguments(),
      .points = {Point::kHierarchy},
  });
}

}  // namespace batholith
