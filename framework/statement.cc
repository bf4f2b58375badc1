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

std::vector<DeviceChoice> DevicesOf(const Session& session, TaskIndex task) {
  if (session.snapshot().task(task).record->device_claims.empty()) return {};
  return session.chains().DevicesOf(task);
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

void Statement::KeepReserved() {
  for (const Entry& e : log_) {
    if (e.after == TaskStatus::kPipelined)
      session_.effects_.Reserve(e.task, e.node_after, session_.running());
  }
  log_.clear();
}

void Statement::Commit() {
  for (Entry& e : log_) {
    if (e.revoked) continue;
    switch (e.after) {
      case TaskStatus::kPending:
        session_.effects_.Forget(e.task);
        break;
      case TaskStatus::kReleasing:
        session_.effects_.Evict({.task = e.task,
                                 .node = e.node_after,
                                 .action = session_.running(),
                                 .for_job = e.for_job,
                                 .reason = std::move(e.reason),
                                 .by = e.by});
        break;
      case TaskStatus::kAllocated:
        session_.effects_.Bind(e.task, e.node_after, session_.running(),
                               VolumesOf(session_, e.task), DevicesOf(session_, e.task));
        session_.Apply(e.task, TaskStatus::kBinding, e.node_after);
        break;
      default:
        session_.effects_.Reserve(e.task, e.node_after, session_.running());
        break;
    }
  }
  log_.clear();
}

}  // namespace batholith
