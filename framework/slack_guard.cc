#include "framework/slack_guard.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace batholith {

SlackGuard::SlackGuard(const Snapshot& snapshot, const SlackConsumers& consumers,
                       const SlackReport* before)
    : shared_(snapshot.shared) {
  if (consumers.empty() || before == nullptr) return;
  AddHeld(snapshot, *before);
  if (!on()) return;
  FindConsumers(snapshot, consumers);
  for (std::size_t n = 0; n < held_.size(); ++n) {
    if (snapshot.nodes[n].usable) held_total_ += held_[n];
  }
  const ResourceVector kept = (held_total_ - WaitedFor(snapshot)).ClampedAtZero();
  shared_ = (shared_ - kept).ClampedAtZero();
}

void SlackGuard::AddHeld(const Snapshot& snapshot, const SlackReport& before) {
  std::map<std::string_view, std::size_t> nodes;
  for (std::size_t n = 0; n < snapshot.nodes.size(); ++n)
    nodes.emplace(snapshot.nodes[n].record->meta.name, n);
  for (const PlaceholderSource& source : before.sources) {
    if (source.expendable) continue;
    ResourceVector size = snapshot.ToVector(source.size);
    size[ResourceSchema::kPods] = 1;
    for (const std::string& name : source.nodes) {
      const auto it = nodes.find(name);
      if (it == nodes.end()) continue;  // it has no room, or its node is gone
      if (held_.empty()) held_.resize(snapshot.nodes.size());
      held_[it->second] += size;
    }
  }
}

void SlackGuard::FindConsumers(const Snapshot& snapshot, const SlackConsumers& consumers) {
  const auto enough = [&](std::int32_t priority) {
    return consumers.min_priority && priority >= *consumers.min_priority;
  };
  task_may_.assign(snapshot.tasks.size(), false);
  for (std::size_t t = 0; t < snapshot.tasks.size(); ++t)
    task_may_[t] = enough(snapshot.tasks[t].record->priority.value_or(0));
  for (const JobFacts& job : snapshot.jobs) {
    const std::string& queue =
        job.queue.is_none() ? job.wanted_queue() : snapshot.queue(job.queue).record->meta.name;
    bool may = enough(job.priority) ||
               std::ranges::find(consumers.queues, queue) != consumers.queues.end();
    for (const TaskIndex t : job.tasks) {
      if (may) task_may_[t.value()] = true;
    }
    may = may || (!job.tasks.empty() && std::ranges::all_of(job.tasks, [&](TaskIndex t) {
            return task_may_[t.value()];
          }));
    job_may_.push_back(may);
  }
}

ResourceVector SlackGuard::WaitedFor(const Snapshot& snapshot) const {
  ResourceVector out;
  for (std::size_t j = 0; j < snapshot.jobs.size(); ++j) {
    const JobFacts& job = snapshot.jobs[j];
    ResourceVector waiting;
    ResourceVector holding;
    for (const TaskIndex t : job.tasks) {
      const TaskFacts& task = snapshot.task(t);
      if (task.status == TaskStatus::kPending && MayUse(t)) waiting += task.request;
      if (HoldsAllocation(task.status)) holding += task.request;
    }
    // Its pods may not exist yet.
    if (job.min_resources && MayUse(JobIndex(j)))
      waiting = ResourceVector::Max(waiting, *job.min_resources - holding);
    out += waiting;
  }
  return out;
}

}  // namespace batholith
