#include "cache/composite_trees.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "api/composite_path.h"

namespace batholith {
namespace {

// The composite groups around a group that bind it, the closest first.
using Path = std::vector<const CompositePodGroupRecord*>;

bool AsksForNothing(const CompositePodGroupRecord& c) {
  return c.min_groups == 0 && c.needs.empty() && !c.network_topology && c.meta.flaw.empty();
}

constexpr std::string_view kNotYet = ": this build does not place it yet";

// Why nothing in it can start, whatever the cluster has; empty: nothing of the kind.
std::string HoldOf(const CompositePodGroupRecord& c) {
  if (!c.meta.flaw.empty())
    return "CompositePodGroup " + c.meta.Key() + " cannot be read: " + c.meta.flaw;
  if (!c.needs.empty()) return c.needs.begin()->second + std::string(kNotYet);
  return {};
}

// The same of a group with a label of nodes of its own, where two composite groups around it, or
// one that is a part of another one, have theirs: labels are looked at two deep.
std::string HoldOfLabels(const PodGroupRecord& group, const Path& path) {
  const CompositePodGroupRecord* keyed = nullptr;
  std::string inside = group.network_topology ? "PodGroup " + group.meta.Key() : "";
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    if (!path[i]->network_topology) continue;
    keyed = path[i];
    if (!inside.empty())
      return "CompositePodGroup " + keyed->meta.Key() +
             " is a part of another one and keeps its groups together by a label of nodes, and " +
             inside + " in it by another one" + std::string(kNotYet);
    inside = "CompositePodGroup " + keyed->meta.Key();
  }
  return {};
}

std::shared_ptr<PodGroupRecord> RecordOf(const CompositePodGroupRecord& root) {
  auto record = std::make_shared<PodGroupRecord>();
  record->meta = root.meta;
  record->priority_class = root.priority_class;
  record->priority = root.priority;
  record->falls_whole = root.falls_whole;
  record->network_topology = root.network_topology;
  return record;
}

class Trees {
 public:
  explicit Trees(const ClusterObjects& objects) : composites_(objects) {}

  void Add(const PodGroupRecord& group) {
    auto [path, why] = composites_.Around(group.meta.namespace_, group.parent);
    if (!why.empty()) {
      bundles_.push_back({.record = nullptr, .parts = {&group}, .policies = {0}, .held = why});
      return;
    }
    while (!path.empty() && AsksForNothing(*path.back())) path.pop_back();
    if (path.empty()) return;
    const CompositePodGroupRecord& root = *path.back();
    const auto [at, added] = by_root_.try_emplace(&root, bundles_.size());
    if (added) bundles_.emplace_back().record = RecordOf(root);
    GroupBundle& bundle = bundles_[at->second];
    bundle.policies.push_back(PolicyOf(bundle, path));
    if (bundle.held.empty()) bundle.held = HoldOfLabels(group, path);
    bundle.parts.push_back(&group);
  }

  std::vector<GroupBundle> Take() { return std::move(bundles_); }

 private:
  // Of the closest composite group. Those around it get theirs first.
  std::int32_t PolicyOf(GroupBundle& bundle, const Path& path) {
    std::int32_t above = -1;
    for (std::size_t i = path.size(); i-- > 0;) {
      const CompositePodGroupRecord& c = *path[i];
      std::vector<SubGroupPolicy>& policies = bundle.record->sub_group_policies;
      const auto index = static_cast<std::int32_t>(policies.size());
      const auto [at, added] = policies_.try_emplace(&c, index);
      if (added) {
        SubGroupPolicy& policy = policies.emplace_back();
        policy.name = c.meta.name;
        policy.min_sub_groups = std::max(c.min_groups, 1);
        policy.part_of = above;
        if (above >= 0) policy.network_topology = c.network_topology;  // else it is the record's
        if (bundle.held.empty()) bundle.held = HoldOf(c);
      }
      above = at->second;
    }
    return above;
  }

  CompositeIndex composites_;
  std::map<const CompositePodGroupRecord*, std::size_t> by_root_;    // looked up only
  std::map<const CompositePodGroupRecord*, std::int32_t> policies_;  // looked up only
  std::vector<GroupBundle> bundles_;
};

}  // namespace

std::vector<GroupBundle> BundlesOfComposites(const ClusterObjects& objects) {
  std::vector<const PodGroupRecord*> parts;
  for (const PodGroupRecord& group : objects.pod_groups) {
    if (!group.parent.empty()) parts.push_back(&group);
  }
  std::ranges::sort(parts, {}, AgeOf);
  Trees trees(objects);
  for (const PodGroupRecord* part : parts) trees.Add(*part);
  return trees.Take();
}

}  // namespace batholith
