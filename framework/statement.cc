#include "framework/statement.h"

#include "api/check.h"

namespace batholith {

void Statement::Allocate(TaskIndex task, NodeIndex node) {
  CHECK(session_.state().status(task) == TaskStatus::kPending);
  log_.push_back({task,
                  TaskStatus::kPending,
                  NodeIndex(),
                  TaskStatus::kAllocated,
                  node,
                  JobIndex(),
                  {},
                  false});
  session_.Apply(task, TaskStatus::kAllocated, node);
}

void Statement::Pipeline(TaskIndex task, NodeIndex node) {
  CHECK(session_.state().status(task) == TaskStatus::kPending);
  log_.push_back({task,
                  TaskStatus::kPending,
                  NodeIndex(),
                  TaskStatus::kPipelined,
                  node,
                  JobIndex(),
                  {},
                  false});
  session_.Apply(task, TaskStatus::kPipelined, node);
}

void Statement::Unpipeline(TaskIndex task) {
  CHECK(session_.state().status(task) == TaskStatus::kPipelined);
  log_.push_back({task,
                  TaskStatus::kPipelined,
                  session_.state().node(task),
                  TaskStatus::kPending,
                  NodeIndex(),
                  JobIndex(),
                  {},
                  false});
  session_.Apply(task, TaskStatus::kPending, NodeIndex());
}

void Statement::Evict(TaskIndex task, JobIndex for_job, std::string reason, EvictBy by) {
  const TaskStatus before = session_.state().status(task);
  CHECK(before == TaskStatus::kBound || before == TaskStatus::kRunning);
  const NodeIndex node = session_.state().node(task);
  log_.push_back(
      {task, before, node, TaskStatus::kReleasing, node, for_job, std::move(reason), false, by});
  session_.Apply(task, TaskStatus::kReleasing, node);
}

void Statement::Unevict(TaskIndex task) {
  for (Entry& e : log_) {
    if (e.task == task && e.after == TaskStatus::kReleasing && !e.revoked) {
      session_.Apply(task, e.before, e.node_before);
      e.revoked = true;
      return;
    }
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
  session_.result().pipelined.push_back({task.record->meta.Key(), s.job(task.job).key,
                                         s.node(entry.node_after).record->meta.name,
                                         session_.action()});
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
          {pod, job.key, queue, node, session_.action(),
           e.for_job.is_none() ? std::string() : s.job(e.for_job).key, e.reason, e.by});
    } else if (e.after == TaskStatus::kAllocated) {
      session_.result().binds.push_back({pod, job.key, queue, node, session_.action()});
      session_.Apply(e.task, TaskStatus::kBinding, e.node_after);
    } else {
      TellReserved(e);
    }
  }
  log_.clear();
}

}  // namespace batholith
