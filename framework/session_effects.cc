#include "framework/session_effects.h"

#include <utility>

namespace batholith {
namespace {

// Names of the pod, of what it belongs to and of where it goes.
struct Names {
  std::string pod, job, queue, node;
};

Names NamesOf(const Snapshot& s, TaskIndex task, NodeIndex node) {
  const TaskFacts& facts = s.task(task);
  const JobFacts& job = s.job(facts.job);
  return {.pod = facts.record->meta.Key(),
          .job = job.key,
          .queue = job.queue.is_none() ? std::string() : s.queue(job.queue).record->meta.name,
          .node = s.node(node).record->meta.name};
}

}  // namespace

std::string NameOf(const ActionDescriptor* action) {
  return action == nullptr ? std::string() : std::string(action->name);
}

void SessionEffects::Bind(TaskIndex task, NodeIndex node, const ActionDescriptor* action,
                          std::vector<VolumeChoice> volumes, std::vector<DeviceChoice> devices) {
  if (!volumes.empty()) volumes_.push_back({binds_.size(), std::move(volumes)});
  if (!devices.empty()) devices_.push_back({binds_.size(), std::move(devices)});
  binds_.push_back({task, node, action});
}

void SessionEffects::Reserve(TaskIndex task, NodeIndex node, const ActionDescriptor* action) {
  if (last_reserved_.size() <= task.value()) last_reserved_.resize(task.value() + 1, kNone);
  std::uint32_t& last = last_reserved_[task.value()];
  const std::uint32_t before = std::exchange(last, static_cast<std::uint32_t>(reserved_.size()));
  reserved_.push_back({task, node, action, before});
}

void SessionEffects::Forget(TaskIndex task) {
  if (last_reserved_.size() <= task.value()) return;
  std::uint32_t at = std::exchange(last_reserved_[task.value()], kNone);
  while (at != kNone) {
    reserved_[at].forgotten = true;
    at = reserved_[at].before;
  }
}

void SessionEffects::Tell(const Snapshot& snapshot, CycleResult& result) const {
  result.binds.reserve(binds_.size());
  auto volumes = volumes_.begin();
  auto devices = devices_.begin();
  for (std::size_t i = 0; i < binds_.size(); ++i) {
    const Bound& bound = binds_[i];
    Names names = NamesOf(snapshot, bound.task, bound.node);
    result.binds.push_back({.pod = std::move(names.pod),
                            .job = std::move(names.job),
                            .queue = std::move(names.queue),
                            .node = std::move(names.node),
                            .action = NameOf(bound.action)});
    if (volumes != volumes_.end() && volumes->bind == i)
      result.binds.back().volumes = (volumes++)->choices;
    if (devices != devices_.end() && devices->bind == i)
      result.binds.back().devices = (devices++)->choices;
  }
  result.evictions.reserve(evictions_.size());
  for (const Eviction& eviction : evictions_) {
    Names names = NamesOf(snapshot, eviction.task, eviction.node);
    const JobIndex for_job = eviction.for_job;
    result.evictions.push_back(
        {.pod = std::move(names.pod),
         .job = std::move(names.job),
         .queue = std::move(names.queue),
         .node = std::move(names.node),
         .action = NameOf(eviction.action),
         .for_job = for_job.is_none() ? std::string() : snapshot.job(for_job).key,
         .reason = eviction.reason,
         .by = eviction.by});
  }
  for (const Reserved& reserved : reserved_) {
    if (reserved.forgotten) continue;
    Names names = NamesOf(snapshot, reserved.task, reserved.node);
    result.pipelined.push_back(
        {.pod = std::move(names.pod),
         .job = std::move(names.job),
         .node = std::move(names.node),
         .action = NameOf(reserved.action),
         .nominates = reserved.action != nullptr && reserved.action->makes_room});
  }
}

}  // namespace batholith
