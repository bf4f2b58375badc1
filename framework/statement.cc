#include "framework/statement.h"

#include <utility>

#include "api/check.h"

namespace batholith {
namespace {

// What is written before the task is bound; nothing where it has no claims.
std::vector<VolumeChoice> VolumesOf(const Session& session, TaskIndex task) {
  if (session.snapshot().task(task).record->volumes->claims.empty()) return {};
  return session.chains().VolumesOf(task);
}

}  // namespace

void Statement::Allocate(TaskIndex task, NodeIndex node) {
  CHECK(session_.state().status(task) == TaskStatus::kPending);
  Do({.task = task,
      .before = TaskStatus::kPending,
      .after = TaskStatus::kAllocated,
      .node_after = node});
}

void Statement::Pipeline(TaskIndex task, NodeIndex node) {
  CHECK(session_.state().status(task) == TaskStatus::kPending);
  Do({.task = task,
      .before = TaskStatus::kPending,
      .after = TaskStatus::kPipelined,
      .node_after = node});
}

void Statement::Unpipeline(TaskIndex task) {
  CHECK(session_.state().status(task) == TaskStatus::kPipelined);
  Do({.task = task,
      .before = TaskStatus::kPipelined,
      .node_before = session_.state().node(task),
      .after = TaskStatus::kPending});
}

Statement::Checkpoint Statement::Evict(TaskIndex task, JobIndex for_job, std::string reason,
                                       EvictBy by) {
  const TaskStatus before = session_.state().status(task);
  CHECK(before == TaskStatus::kBound || before == TaskStatus::kRunning);
  const NodeIndex node = session_.state().node(task);
  Do({.task = task,
      .before = before,
      .node_before = node,
      .after = TaskStatus::kReleasing,
      .node_after = node,
      .for_job = for_job,
      .reason = std::move(reason),
      .by = by});
  return log_.size() - 1;
}

void Statement::Do(Entry entry) {
  const Entry& e = log_.emplace_back(std::move(entry));
  session_.Apply(e.task, e.after, e.node_after);
}

void Statement::UnevictAt(Checkpoint place) {
  Entry& e = log_[place];
  CHECK(e.after == TaskStatus::kReleasing && !e.revoked);
  session_.Apply(e.task, e.before, e.node_before);
  e.revoked = true;
}

void Statement::Unevict(TaskIndex task) {
  for (Checkpoint place = log_.size(); place-- > 0;) {
    const Entry& e = log_[place];
    if (e.task == task && e.after == TaskStatus::kReleasing && !e.revoked) return UnevictAt(place);
  }
  CHECK(false);
}

void Statement::RollbackTo(Checkpoint checkpoint) {
  while (log_.size() > checkpoint) {
    const Entry& e = log_.back();
    if (!e.revoked) session_.Apply(e.task, e.before, e.node_before);
    log_.pop_back();
  }
}

std::vector<TaskIndex> Statement::evicted() const {
  std::vector<TaskIndex> out;
  for (const Entry& e : log_) {
    if (e.after == TaskStatus::kReleasing && !e.revoked) out.push_back(e.task);
  }
  return out;
}

std::vector<TaskIndex> Statement::placed() const {
  std::vector<TaskIndex> out;
  for (const Entry& e : log_) {
    if (e.after == TaskStatus::kAllocated || e.after == TaskStatus::kPipelined)
      out.push_back(e.task);
  }
  return out;
}

void Statement::TellReserved(const Entry& entry) {
  const Snapshot& s = session_.snapshot();
  const TaskFacts& task = s.task(entry.task);
  session_.result().pipelined.push_back(
      {.pod = task.record->meta.Key(),
       .job = s.job(task.job).key,
       .node = s.node(entry.node_after).record->meta.name,
       .action = session_.action(),
       .nominates = session_.running() != nullptr && session_.running()->makes_room});
}

void Statement::ForgetReserved(const Entry& entry) {
  const std::string pod = session_.snapshot().task(entry.task).record->meta.Key();
  std::erase_if(session_.result().pipelined, [&](const Pipelined& p) { return p.pod == pod; });
}

void Statement::KeepReserved() {
  for (const Entry& e : log_) {
    if (e.after == TaskStatus::kPipelined) TellReserved(e);
  }
  log_.clear();
}

void Statement::Commit() {
  const Snapshot& s = session_.snapshot();
  for (const Entry& e : log_) {
    if (e.revoked) continue;
    const TaskFacts& task = s.task(e.task);
    const JobFacts& job = s.job(task.job);
    if (e.after == TaskStatus::kPending) {
      ForgetReserved(e);
      continue;
    }
    const std::string queue =
        job.queue.is_none() ? std::string() : s.queue(job.queue).record->meta.name;
    const std::string pod = task.record->meta.Key();
    const std::string& node = s.node(e.node_after).record->meta.name;
    if (e.after == TaskStatus::kReleasing) {
      session_.result().evictions.push_back(
          {.pod = pod,
           .job = job.key,
           .queue = queue,
           .node = node,
           .action = session_.action(),
           .for_job = e.for_job.is_none() ? std::string() : s.job(e.for_job).key,
           .reason = e.reason,
           .by = e.by});
    } else if (e.after == TaskStatus::kAllocated) {
      session_.result().binds.push_back({.pod = pod,
                                         .job = job.key,
                                         .queue = queue,
                                         .node = node,
                                         .action = session_.action(),
                                         .volumes = VolumesOf(session_, e.task)});
      session_.Apply(e.task, TaskStatus::kBinding, e.node_after);
    } else {
      TellReserved(e);
    }
  }
  log_.clear();
}

}  // namespace batholith
