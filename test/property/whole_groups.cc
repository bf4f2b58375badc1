#include "test/property/whole_groups.h"

#include <algorithm>
#include <random>

namespace batholith::property {

void MakeGroupsWhole(ClusterObjects& objects, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto one_in = [&](std::uint64_t n) { return random() % n == 0; };
  const std::string suffix(SuffixOf(GroupApi::kKubernetes));
  std::map<std::string, std::string> renamed;  // namespace/group as it was to the pods' new group
  for (PodGroupRecord& group : objects.pod_groups) {
    if (group.made_for_pod || group.min_member > 1'000 || one_in(3)) continue;
    renamed[group.meta.Key()] = group.meta.name + suffix;
    group.api = GroupApi::kKubernetes;
    group.falls_whole = !one_in(4);
    if (!group.queue.empty()) group.meta.labels["scheduling.volcano.sh/queue-name"] = group.queue;
    group.queue.clear();
    group.min_task_member.clear();
    if (!one_in(3)) continue;
    group.parent = "set" + std::to_string(random() % 2);
    const std::string key = group.meta.namespace_ + "/" + group.parent;
    if (std::ranges::any_of(objects.composite_groups,
                            [&](const auto& c) { return c.meta.Key() == key; }))
      continue;
    CompositePodGroupRecord composite;
    composite.meta = group.meta;
    composite.meta.name = group.parent;
    composite.meta.uid += "-above";
    composite.min_groups = static_cast<std::int32_t>(random() % 3);
    composite.priority_class = group.priority_class;
    composite.falls_whole = one_in(2);
    objects.composite_groups.push_back(std::move(composite));
  }
  for (PodRecord& pod : objects.pods) {
    const auto it = renamed.find(pod.meta.namespace_ + "/" + pod.group);
    if (it == renamed.end() || pod.scheduler_name != "volcano") continue;
    pod.group = it->second;
    if (one_in(60)) pod.scheduler_name = "default-scheduler";
  }
}

std::map<std::string, std::vector<const PodRecord*>> WholeGroupsOf(const ClusterObjects& objects) {
  std::map<std::string, std::vector<const PodRecord*>> out;
  for (const PodGroupRecord& group : objects.pod_groups) {
    if (group.api != GroupApi::kKubernetes) continue;
    std::string whole = group.falls_whole ? "group " + group.meta.Key() : "";
    for (const CompositePodGroupRecord& c : objects.composite_groups) {
      const bool above = c.meta.name == group.parent && c.meta.namespace_ == group.meta.namespace_;
      if (above && c.falls_whole) whole = "composite " + c.meta.Key();
    }
    if (whole.empty()) continue;
    for (const PodRecord& pod : objects.pods) {
      if (pod.meta.namespace_ + "/" + pod.group == group.Identity()) out[whole].push_back(&pod);
    }
  }
  return out;
}

}  // namespace batholith::property
