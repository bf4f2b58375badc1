#include "actions/autoscale/groups.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "api/node_match.h"

namespace batholith {
namespace {

constexpr const char* kClusterName = "cluster.x-k8s.io/cluster-name";

struct Found {
  NodeGroup group;
  const NodeGroupRecord* record = nullptr;  // none: only the conf knows it
  const ConfNodeGroup* conf = nullptr;
};

bool HasLabels(const Labels& wanted, const Labels& labels) {
  return std::ranges::all_of(wanted, [&](const auto& entry) {
    const auto it = labels.find(entry.first);
    return it != labels.end() && it->second == entry.second;
  });
}

// The DaemonSet controller ties each pod to its node by name, which a new node does not have.
bool DaemonMayStandOn(PodConstraints constraints, const NodeRecord& node) {
  for (NodeSelectorTerm& term : constraints.required_node_terms) term.fields.clear();
  std::erase_if(constraints.required_node_terms,
                [](const NodeSelectorTerm& term) { return term.expressions.empty(); });
  if (constraints.required_node_terms.empty()) constraints.has_required_node_affinity = false;
  return MayStandOn(constraints, node);
}

// Of several groups that a node would belong to it belongs to the first.
class GroupOfNode {
 public:
  GroupOfNode(const std::vector<const Found*>& list,
              std::map<std::string, std::string> machine_group)
      : machine_group_(std::move(machine_group)) {
    for (std::size_t g = 0; g < list.size(); ++g) {
      const Found& found = *list[g];
      if (found.conf != nullptr && !found.conf->selector.empty()) {
        const auto& [key, value] = *found.conf->selector.begin();
        by_selector_[key][value].push_back({g, &found.conf->selector});
      } else if (found.record != nullptr) {
        const bool labelled = found.record->kind == "NodeGroup";
        (labelled ? by_label_ : by_machine_).try_emplace(found.record->Name(), g);
      }
    }
  }

  // SIZE_MAX: of none. Where groups differ by the value of one label, their number costs nothing.
  std::size_t Of(const NodeRecord& node) const {
    const Labels& labels = node.meta.labels;
    std::size_t first = SIZE_MAX;
    for (const auto& [key, by_value] : by_selector_) {
      const auto label = labels.find(key);
      if (label == labels.end()) continue;
      const auto those = by_value.find(label->second);
      if (those == by_value.end()) continue;
      for (const auto& [g, selector] : those->second) {
        if (HasLabels(*selector, labels)) first = std::min(first, g);
      }
    }
    if (const auto label = labels.find(kNodeGroupLabel); label != labels.end())
      first = std::min(first, GroupNamed(by_label_, label->second));
    if (const auto machine = machine_group_.find(node.meta.name); machine != machine_group_.end())
      first = std::min(first, GroupNamed(by_machine_, machine->second));
    return first;
  }

 private:
  struct Selected {
    std::size_t group = 0;
    const Labels* selector = nullptr;
  };
  using ByName = std::map<std::string, std::size_t>;

  static std::size_t GroupNamed(const ByName& groups, const std::string& name) {
    const auto it = groups.find(name);
    return it == groups.end() ? SIZE_MAX : it->second;
  }

  std::map<std::string, std::string> machine_group_;  // node → MachineDeployment
  // By the first entry of each selector.
  std::map<std::string, std::map<std::string, std::vector<Selected>>> by_selector_;
  ByName by_label_;
  ByName by_machine_;
};

class GroupFinder {
 public:
  GroupFinder(const Session& session, const AutoscaleOptions& options)
      : snapshot_(session.snapshot()), options_(options) {}

  SessionGroups Find() {
    std::map<std::string, Found> found = Collect();
    SessionGroups out;
    out.of_node.assign(snapshot_.nodes.size(), SIZE_MAX);
    std::vector<const Found*> list;
    for (const auto& [name, entry] : found) list.push_back(&entry);
    const GroupOfNode group_of(list, MachineGroups());
    std::vector<Members> members(list.size());
    for (std::size_t n = 0; n < snapshot_.nodes.size(); ++n) {
      const NodeFacts& node = snapshot_.nodes[n];
      const std::size_t g = out.of_node[n] = group_of.Of(*node.record);
      if (g == SIZE_MAX) continue;
      ++members[g].nodes;
      if (members[g].sample == nullptr && node.usable) members[g].sample = &node;
    }
    for (std::size_t g = 0; g < list.size(); ++g) Finish(*list[g], members[g], out);
    return out;
  }

 private:
  struct Members {  // of one group
    std::int64_t nodes = 0;
    const NodeFacts* sample = nullptr;  // the first that pods can be placed on
  };

  bool Wanted(const NodeGroupRecord& record) const {
    if (record.kind == "NodeGroup") return true;
    if (!options_.cluster_api || record.max == 0) return false;
    if (!options_.cluster_api_namespace.empty() &&
        record.meta.namespace_ != options_.cluster_api_namespace)
      return false;
    if (!HasLabels(options_.cluster_api_selector, record.meta.labels)) return false;
    if (options_.cluster_name.empty()) return true;
    const auto it = record.meta.labels.find(kClusterName);
    return it != record.meta.labels.end() && it->second == options_.cluster_name;
  }

  static Found FromRecord(const NodeGroupRecord& record) {
    Found found;
    found.record = &record;
    found.group.name = record.Name();
    found.group.min = record.min;
    found.group.max = record.max;
    found.group.target = record.replicas;
    if (record.paused) found.group.paused = "it is paused";
    return found;
  }

  // By name, so that the order of objects does not matter.
  std::map<std::string, Found> Collect() const {
    std::map<std::string, const NodeGroupRecord*> records;
    std::map<std::string, Found> found;
    for (const NodeGroupRecord& record : snapshot_.objects->node_groups) {
      records[record.Name()] = &record;
      if (Wanted(record)) found[record.Name()] = FromRecord(record);
    }
    for (const ConfNodeGroup& conf : options_.groups) {
      Found entry;
      const auto it = records.find(conf.scale_target.empty() ? conf.name : conf.scale_target);
      if (it != records.end()) {
        entry = FromRecord(*it->second);
        found.erase(it->first);
      } else if (!conf.scale_target.empty()) {
        entry.group.paused = "its scaleTarget " + conf.scale_target + " is not there";
      } else if (options_.conf.mode == AutoscaleMode::kApply) {
        entry.group.paused = "it has no scaleTarget, so nobody sets its size";
      }
      entry.conf = &conf;
      entry.group.name = conf.name;
      entry.group.min = conf.min;
      entry.group.max = conf.max;
      found[conf.name] = std::move(entry);
    }
    return found;
  }

  // Node → MachineDeployment.
  std::map<std::string, std::string> MachineGroups() const {
    std::map<std::string, std::string> out;
    for (const MachineRecord& machine : snapshot_.objects->machines) {
      if (!machine.node.empty() && !machine.deployment.empty()) out[machine.node] = machine.Group();
    }
    return out;
  }

  void Finish(const Found& found, const Members& members, SessionGroups& out) {
    NodeGroup group = found.group;
    if (found.record == nullptr) group.target = members.nodes;  // nobody else tells
    NodeRecord node;
    bool known = true;
    if (found.conf != nullptr && found.conf->node_template) {
      node = *found.conf->node_template;
    } else if (members.sample != nullptr) {
      node = *members.sample->record;
      node.meta.labels.erase("kubernetes.io/hostname");
    } else if (found.record != nullptr && found.record->node_template) {
      node = *found.record->node_template;
    } else {
      known = false;
    }
    if (known) group.node_template = TemplateOf(node);
    out.groups.push_back(std::move(group));
    out.templates.push_back(std::move(node));
    out.targets.push_back(found.record == nullptr ? "" : found.record->Name());
    out.rolling_out.push_back(found.record != nullptr && found.record->rolling_out);
  }

  NodeTemplate TemplateOf(const NodeRecord& node) {
    NodeTemplate out;
    out.allocatable = snapshot_.ToVector(node.allocatable);
    out.capacity = out.allocatable;
    out.usable = out.allocatable;
    for (const TaskIndex task : Daemons()) {
      const TaskFacts& facts = snapshot_.task(task);
      if (DaemonMayStandOn(*facts.record->constraints, node)) out.usable -= facts.request;
    }
    out.labels = node.meta.labels;
    out.taints = node.taints;
    return out;
  }

  // A pod of each DaemonSet.
  const std::vector<TaskIndex>& Daemons() {
    if (daemons_) return *daemons_;
    daemons_.emplace();
    std::set<std::string> seen;
    for (std::size_t t = 0; t < snapshot_.tasks.size(); ++t) {
      const ObjectMeta& meta = snapshot_.tasks[t].record->meta;
      if (!snapshot_.tasks[t].daemon || meta.owner->kind != "DaemonSet") continue;
      if (seen.insert(meta.namespace_ + "/" + meta.owner->name).second) daemons_->emplace_back(t);
    }
    return *daemons_;
  }

  const Snapshot& snapshot_;
  const AutoscaleOptions& options_;
  std::optional<std::vector<TaskIndex>> daemons_;
};

}  // namespace

SessionGroups FindGroups(const Session& session, const AutoscaleOptions& options) {
  return GroupFinder(session, options).Find();
}

bool MayStandOn(const PodConstraints& constraints, const NodeRecord& node) {
  return UntoleratedTaint(constraints.tolerations, node) == nullptr &&
         MatchesNode(constraints, node);
}

}  // namespace batholith
