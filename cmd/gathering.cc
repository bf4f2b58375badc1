#include "cmd/gathering.h"

namespace batholith {

void Gathering::Came(const ClusterEvent& event, Time now) {
  if (!any_) first_ = now;
  any_ = true;
  last_ = now;
  const auto* put = std::get_if<ObjectPut>(&event);
  if (put == nullptr) return;
  if (const auto* pod = std::get_if<PodRecord>(&put->record)) PodCame(*pod, now);
  if (const auto* group = std::get_if<PodGroupRecord>(&put->record)) GroupCame(*group, now);
}

void Gathering::PodCame(const PodRecord& pod, Time now) {
  if (!pod.node_name.empty() || pod.group.empty() || pod.meta.deleting) return;
  Group& group = groups_[pod.meta.namespace_ + "/" + pod.group];
  if (group.came.empty()) group.until = std::max(group.until, now + longest_);
  group.came.insert(pod.meta.name);
}

// Of a new group. One that asks for minResources may get its pods only once it is admitted: it is
// waited for from its first pod on, or from when a session admitted it.
void Gathering::GroupCame(const PodGroupRecord& record, Time now) {
  if (record.made_for_pod) {
    alone_ = alone_ || record.phase == JobPhase::kPending;
    return;
  }
  if (record.phase != JobPhase::kNone) return;
  const std::string key = record.Identity();
  auto it = groups_.find(key);
  if (it == groups_.end()) {
    if (record.min_resources) return;
    it = groups_.emplace(key, Group{.until = now + longest_}).first;
  }
  if (it->second.known) return;
  it->second.known = true;
  it->second.lacks = record.min_member;
}

void Gathering::Begin() { any_ = alone_ = false; }

// Where pods of a group come one session after the other each is waited for; where none came in
// time nobody waits any more.
void Gathering::Decided(const CycleResult& report, Time now) {
  std::map<std::string, Group> still;
  for (const JobStatus& job : report.jobs) {
    if (job.phase != JobPhase::kInqueue) continue;
    int pods = 0;
    for (const auto& [status, count] : job.tasks) pods += count;
    if (pods >= job.min_member) continue;
    const auto before = groups_.find(job.key);
    const bool waits = before == groups_.end() || !before->second.came.empty();
    still[job.key] = {.known = true,
                      .lacks = job.min_member - pods,
                      .until = waits ? now + longest_ : before->second.until};
  }
  groups_ = std::move(still);
}

Gathering::Time Gathering::Due() const {
  Time due = std::min(last_ + kQuiet, first_ + kMost);
  if (alone_) return due;
  for (const auto& [key, group] : groups_) {
    if (group.Lacks()) due = std::max(due, std::min(group.until, first_ + longest_));
  }
  return due;
}

}  // namespace batholith
