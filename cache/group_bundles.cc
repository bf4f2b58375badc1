#include "cache/group_bundles.h"

#include <algorithm>
#include <set>
#include <utility>

#include "api/smallest_groups.h"
#include "cache/composite_trees.h"

namespace batholith {
namespace {

// The fewest pods with which a job has all that its policies need.
std::int32_t LeastPods(const GroupBundle& bundle) {
  const std::vector<SubGroupPolicy>& policies = bundle.record->sub_group_policies;
  std::vector<std::int32_t> needed;
  for (const SubGroupPolicy& policy : policies) needed.push_back(policy.min_sub_groups);
  std::vector<std::vector<std::int64_t>> pods(policies.size());
  for (std::size_t i = 0; i < bundle.parts.size(); ++i)
    pods[static_cast<std::size_t>(bundle.policies[i])].push_back(
        std::max(bundle.parts[i]->min_member, 1));
  // The first policy is around all others.
  const std::int64_t least = SmallestSums(policies, needed, std::move(pods)).front();
  return static_cast<std::int32_t>(std::min<std::int64_t>(least, INT32_MAX));
}

// For groups that start together, all of them.
SubGroupPolicy PolicyOfAll(std::size_t groups) {
  SubGroupPolicy policy;
  policy.name = "groups";
  policy.min_sub_groups = static_cast<std::int32_t>(groups);
  return policy;
}

}  // namespace

std::tuple<std::int64_t, std::string_view, std::string> AgeOf(const PodGroupRecord* group) {
  return {group->meta.creation, group->meta.uid, group->Identity()};
}

GroupBundles::GroupBundles(const ClusterObjects& objects) {
  const auto takes_part = [](const PodGroupRecord& g) {
    return !g.parent.empty() || !g.starts_with.empty();
  };
  if (std::ranges::none_of(objects.pod_groups, takes_part)) return;
  for (GroupBundle& bundle : BundlesOfComposites(objects)) Keep(std::move(bundle));
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
    std::ranges::sort(bundle.parts, {}, AgeOf);
    bundle.policies.resize(bundle.parts.size());
    Keep(std::move(bundle));
  }
}

void GroupBundles::Keep(GroupBundle bundle) {
  const PodGroupRecord& first = *bundle.parts.front();
  const bool composite = bundle.record != nullptr;
  if (!composite) {
    bundle.record = std::make_shared<PodGroupRecord>();
    bundle.record->meta = first.meta;
    bundle.record->sub_group_policies = {PolicyOfAll(bundle.parts.size())};
  }
  PodGroupRecord& record = *bundle.record;
  record.api = first.api;
  record.phase = JobPhase::kPending;
  std::vector<std::string> parts;
  std::string names;
  for (const PodGroupRecord* part : bundle.parts) {
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
  record.min_member = LeastPods(bundle);
  for (std::string& part : parts) by_part_.emplace(part, bundles_.size());
  record.starts_with = std::move(parts);
  bundles_.push_back(std::move(bundle));
}

}  // namespace batholith
