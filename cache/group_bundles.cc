#include "cache/group_bundles.h"

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>

#include "api/composite_depth.h"

namespace batholith {
namespace {

auto Age(const PodGroupRecord* group) {
  return std::tuple(group->meta.creation, group->meta.uid, group->Identity());
}

// The composite group above all others of this one; nullptr: they go round in a circle, are too
// deep, or one of them is not there: then `why` says so.
const CompositePodGroupRecord* RootOf(
    const std::map<std::string, const CompositePodGroupRecord*, std::less<>>& composites,
    const std::string& namespace_, const std::string& name, std::string& why) {
  const CompositePodGroupRecord* at = nullptr;
  std::string next = name;
  for (int depth = 0; depth < kDeepestComposite && !next.empty(); ++depth) {
    const auto it = composites.find(namespace_ + "/" + next);
    if (it == composites.end()) {
      why = "CompositePodGroup " + namespace_ + "/" + next + " does not exist";
      return nullptr;
    }
    at = it->second;
    next = at->parent;
  }
  if (next.empty()) return at;
  why = "CompositePodGroup " + namespace_ + "/" + name + " is below itself or more than " +
        std::to_string(kDeepestComposite) + " deep";
  return nullptr;
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

}  // namespace

GroupBundles::GroupBundles(const ClusterObjects& objects) {
  const auto takes_part = [](const PodGroupRecord& g) {
    return !g.parent.empty() || !g.starts_with.empty();
  };
  if (std::ranges::none_of(objects.pod_groups, takes_part)) return;
  AddComposites(objects);
  Groups named;
  for (const PodGroupRecord& group : objects.pod_groups) {
    if (group.api == GroupApi::kKoordinator) named.emplace(group.Identity(), &group);
  }
  AddNamed(named);
}

const GroupBundle* GroupBundles::Of(const PodGroupRecord& group) const {
  if (bundles_.empty()) return nullptr;
  const auto it = by_part_.find(group.Identity());
  return it == by_part_.end() ? nullptr : &bundles_[it->second];
}

void GroupBundles::AddComposites(const ClusterObjects& objects) {
  Composites composites;
  std::map<std::string, std::int32_t> children;  // how many, by composite group
  for (const CompositePodGroupRecord& c : objects.composite_groups) {
    composites.emplace(c.meta.Key(), &c);
    if (!c.parent.empty()) ++children[c.meta.namespace_ + "/" + c.parent];
  }
  struct Tree {
    const CompositePodGroupRecord* root = nullptr;
    GroupBundle bundle;
  };
  std::map<std::string, Tree> trees;  // by key of the root, or of the group that has none
  for (const PodGroupRecord& group : objects.pod_groups) {
    if (group.parent.empty()) continue;
    ++children[group.meta.namespace_ + "/" + group.parent];
    std::string why;
    const CompositePodGroupRecord* root =
        RootOf(composites, group.meta.namespace_, group.parent, why);
    Tree& tree = trees[root == nullptr ? group.Identity() : root->meta.Key()];
    tree.root = root;
    tree.bundle.held = why;
    tree.bundle.parts.push_back(&group);
  }
  std::set<std::string> nested;  // roots that have composite groups below them
  std::set<std::string> choosy;  // roots with a composite group that does not need all of its parts
  std::map<std::string, std::string> unmet;  // roots: what a composite group below asks for
  for (const CompositePodGroupRecord& c : objects.composite_groups) {
    std::string why;
    const CompositePodGroupRecord* root = RootOf(composites, c.meta.namespace_, c.meta.name, why);
    if (root == nullptr) continue;
    if (root != &c) {
      nested.insert(root->meta.Key());
      if (c.network_topology)
        unmet[root->meta.Key()] = "CompositePodGroup " + c.meta.Key() +
                                  " is a part of another one and keeps its groups together by a "
                                  "label of nodes";
      for (const auto& [need, what] : *c.needs) unmet[root->meta.Key()] = what;
    }
    if (c.min_groups < children[c.meta.Key()]) choosy.insert(root->meta.Key());
  }
  for (auto& [key, tree] : trees) {
    std::int32_t needed = 1;
    if (tree.root != nullptr) {
      const CompositePodGroupRecord& root = *tree.root;
      if (root.min_groups == 0 && !nested.contains(key) && root.needs.empty() &&
          !root.network_topology)
        continue;
      needed = std::max(root.min_groups, 1);
      if (nested.contains(key)) {
        needed = static_cast<std::int32_t>(tree.bundle.parts.size());
        if (choosy.contains(key))
          tree.bundle.held = "CompositePodGroup " + key +
                             " has composite groups of which not all parts are needed, which this "
                             "build does not place yet";
      }
      for (const auto& [need, what] : *root.needs) unmet[key] = what;
      if (const auto it = unmet.find(key); it != unmet.end())
        tree.bundle.held = it->second + ": this build does not place it yet";
      if (!root.meta.flaw.empty())
        tree.bundle.held = "CompositePodGroup " + key + " cannot be read: " + root.meta.flaw;
      tree.bundle.record = RecordOf(root);
    }
    Keep(std::move(tree.bundle), needed);
  }
}

// Whoever is named by one of them belongs to it, and whom that one names.
void GroupBundles::AddNamed(const Groups& groups) {
  std::map<std::string, std::set<std::string>> named;  // both ways
  for (const auto& [identity, group] : groups) {
    for (const std::string& other : *group->starts_with) {
      named[identity].insert(other);
      named[other].insert(identity);
    }
  }
  std::set<std::string> seen;
  for (const auto& [first, others] : named) {
    if (seen.contains(first)) continue;
    GroupBundle bundle;
    std::vector<std::string> open{first};
    while (!open.empty()) {
      const std::string at = std::move(open.back());
      open.pop_back();
      if (!seen.insert(at).second) continue;
      const auto group = groups.find(at);
      if (group != groups.end()) {
        bundle.parts.push_back(group->second);
      } else {
        bundle.held =
            "gang " + at.substr(0, at.find('@')) + ", with which it starts, does not exist";
      }
      for (const std::string& other : named[at]) open.push_back(other);
    }
    if (bundle.parts.empty()) continue;
    const auto needed = static_cast<std::int32_t>(bundle.parts.size());
    Keep(std::move(bundle), needed);
  }
}

void GroupBundles::Keep(GroupBundle bundle, std::int32_t needed) {
  std::ranges::sort(bundle.parts, {}, Age);
  const PodGroupRecord& first = *bundle.parts.front();
  const bool composite = bundle.record != nullptr;
  if (!composite) {
    bundle.record = std::make_shared<PodGroupRecord>();
    bundle.record->meta = first.meta;
  }
  PodGroupRecord& record = *bundle.record;
  record.api = first.api;
  record.phase = JobPhase::kPending;
  std::vector<std::int32_t> minimums;
  std::vector<std::string> parts;
  std::string names;
  for (const PodGroupRecord* part : bundle.parts) {
    minimums.push_back(std::max(part->min_member, 1));
    parts.push_back(part->Identity());
    names += (names.empty() ? "" : "+") + part->meta.name;
    if (part->phase > JobPhase::kPending) record.phase = part->phase;
    record.falls_whole = record.falls_whole || part->falls_whole;
    record.keeps_parts = record.keeps_parts || part->keeps_parts;
    if (part->priority && (!record.priority || *record.priority < *part->priority))
      record.priority = part->priority;
    if (record.priority_class.empty()) record.priority_class = part->priority_class;
    if (record.meta.flaw.empty()) record.meta.flaw = part->meta.flaw;
    for (const auto& [need, what] : *part->needs) record.needs.Edit().emplace(need, what);
  }
  // A name that no object has: a group of pods may be called like the composite one.
  record.meta.name = composite ? record.meta.name + "+" : names;
  std::ranges::sort(minimums);
  minimums.resize(std::min(minimums.size(), static_cast<std::size_t>(std::max(needed, 1))));
  std::int64_t sum = 0;
  for (const std::int32_t minimum : minimums) sum += minimum;
  record.min_member = static_cast<std::int32_t>(std::min<std::int64_t>(sum, INT32_MAX));
  SubGroupPolicy& policy = record.sub_group_policies.emplace_back();
  policy.name = "groups";
  policy.min_sub_groups = needed;
  for (std::string& part : parts) by_part_.emplace(part, bundles_.size());
  record.starts_with = std::move(parts);
  bundles_.push_back(std::move(bundle));
}

}  // namespace batholith
