#include "cache/job_reader.h"

#include <algorithm>
#include <utility>

#include "cache/group_members.h"

namespace batholith {

NamespaceIndex NamespaceNamed(const std::string& name, Snapshot& snapshot, SnapshotTables& tables) {
  const auto [it, added] =
      tables.namespaces.try_emplace(name, NamespaceIndex(snapshot.namespaces.size()));
  if (added) snapshot.namespaces.push_back({name, {}, 1});
  return it->second;
}

bool IsSpecial(const PodGroupRecord& group) {
  return group.api != GroupApi::kVolcano || !group.parent.empty() || !group.starts_with.empty() ||
         !group.needs.empty() || !group.meta.flaw.empty();
}

JobFacts JobReader::Read(const PodGroupRecord& group, std::string key, const std::string& queue,
                         JobNotes& notes) {
  JobFacts facts;
  facts.record = &group;
  facts.key = std::move(key);
  const std::string& name = QueueOf(queue, group.meta.namespace_);
  if (group.api != GroupApi::kVolcano) facts.queue_name = name;
  if (const auto it = tables_.queues.find(name); it != tables_.queues.end())
    facts.queue = it->second;
  facts.namespace_ = NamespaceNamed(group.meta.namespace_, snapshot_, tables_);
  facts.priority = group.priority.value_or(tables_.priorities.Of(group.priority_class));
  facts.min_available = group.min_member;
  for (const auto& [role, min] : group.min_task_member) {
    facts.roles.push_back({role, min});
    facts.role_min_total += std::min(std::max(min, 0), INT32_MAX - facts.role_min_total);
  }
  facts.sub_jobs.push_back({"", -1, group.sub_group_policies.empty() ? group.min_member : 1});
  if (group.min_resources)
    notes.left_out =
        tables_.minimums.Read(*group.min_resources, snapshot_, *tables_.amounts, facts);
  notes.special = IsSpecial(group) || !facts.unserved_minimum.empty() ||
                  facts.namespace_.value() >= tables_.namespaces_of_their_own;
  return facts;
}

// What names no queue, or the default one, goes to the one that its namespace names.
const std::string& JobReader::QueueOf(const std::string& named,
                                      const std::string& namespace_) const {
  if (!named.empty() && named != tables_.options.default_queue) return named;
  const auto own = tables_.queue_of_namespace.find(namespace_);
  return own == tables_.queue_of_namespace.end() ? tables_.options.default_queue : own->second;
}

void JobReader::Join(const PodRecord& pod, TaskIndex index, std::optional<std::uint32_t> part,
                     JobFacts& job, TaskFacts& facts) {
  job.tasks.push_back(index);
  const PodGroupRecord& group = *job.record;
  // Such a group names the class of its pod, where the pod has one.
  if (group.made_for_pod && group.priority_class.empty())
    job.priority = pod.priority.value_or(job.priority);
  const auto role = std::ranges::find(job.roles, pod.task_role, &RoleFacts::name);
  facts.role = static_cast<std::uint32_t>(role - job.roles.begin());
  if (role == job.roles.end()) job.roles.push_back({pod.task_role, 0});
  facts.sub_job = part ? *part : sub_jobs_.Join(pod, job);
  if (group.api != GroupApi::kVolcano) JoinForeignGroup(pod, job, facts);
}

}  // namespace batholith
