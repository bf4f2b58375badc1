#include "cache/group_members.h"

#include <algorithm>

#include "cache/ordered.h"

namespace batholith {
namespace {

constexpr std::string_view kQueue = "scheduling.volcano.sh/queue-name";

const std::string* QueueIn(const ObjectMeta& meta) {
  if (const auto it = meta.annotations.find(kQueue); it != meta.annotations.end())
    return &it->second;
  if (const auto it = meta.labels.find(kQueue); it != meta.labels.end()) return &it->second;
  return nullptr;
}

bool IsOver(const PodRecord& pod) {
  return pod.phase == PodPhase::kSucceeded || pod.phase == PodPhase::kFailed;
}

}  // namespace

GroupMembers::GroupMembers(const ClusterObjects& objects,
                           std::span<const std::string> scheduler_names) {
  const auto foreign = [](const PodGroupRecord& g) { return g.api != GroupApi::kVolcano; };
  if (std::ranges::none_of(objects.pod_groups, foreign)) return;
  has_gangs_ = std::ranges::any_of(
      objects.pod_groups, [](const PodGroupRecord& g) { return g.api == GroupApi::kKoordinator; });
  for (const PodRecord& pod : objects.pods) {
    if (!pod.group.contains('@')) continue;
    Members& members = members_[pod.meta.namespace_ + "/" + pod.group];
    const bool ours =
        std::ranges::find(scheduler_names, pod.scheduler_name) != scheduler_names.end();
    if (ours) {
      members.ours.push_back(&pod);
    } else if (members.other == nullptr && !IsOver(pod)) {
      members.other = &pod;
    }
  }
  for (auto& [identity, members] : members_) {
    std::ranges::sort(members.ours, [](const PodRecord* a, const PodRecord* b) {
      return StandsBefore(a->meta, b->meta);
    });
  }
}

const GroupMembers::Members& GroupMembers::Of(const PodGroupRecord& group) const {
  static const Members kNone;
  const auto it = members_.find(group.Identity());
  return it == members_.end() ? kNone : it->second;
}

std::string GroupMembers::QueueOf(const PodGroupRecord& group) const {
  if (const std::string* own = QueueIn(group.meta)) return *own;
  for (const PodRecord* pod : Of(group).ours) {
    if (const std::string* queue = QueueIn(pod->meta)) return *queue;
  }
  return {};
}

const std::vector<const PodRecord*>& GroupMembers::Ours(const PodGroupRecord& group) const {
  return Of(group).ours;
}

std::string GroupMembers::HoldOf(const PodGroupRecord& group) const {
  const Members& members = Of(group);
  if (members.other == nullptr || members.ours.empty()) return {};
  return "pods of one group name different schedulers: " + members.ours.front()->meta.name + " " +
         members.ours.front()->scheduler_name + ", " + members.other->meta.name + " " +
         members.other->scheduler_name;
}

void JoinForeignGroup(const PodRecord& pod, JobFacts& job, TaskFacts& facts) {
  const PodGroupRecord& group = *job.record;
  if (!group.priority && group.priority_class.empty() && pod.priority)
    job.priority = job.tasks.size() == 1 ? *pod.priority : std::max(job.priority, *pod.priority);
  if (!job.held.empty()) facts.gated = true;
}

}  // namespace batholith
