#include "actions/common/job_queue.h"

#include <algorithm>

#include "actions/common/hard_topology.h"

namespace batholith {
namespace {

bool IsWaiting(const Session& session, TaskIndex task) {
  return session.state().status(task) == TaskStatus::kPending &&
         !session.snapshot().task(task).gated;
}

bool IsReserved(const Session& session, TaskIndex task) {
  return session.state().status(task) == TaskStatus::kPipelined;
}

template <typename Keep>
std::vector<TaskIndex> Collect(const Session& session, JobIndex job, Keep keep) {
  std::vector<TaskIndex> out;
  for (const TaskIndex t : session.snapshot().job(job).tasks) {
    if (keep(t)) out.push_back(t);
  }
  // A task that others made room for goes first, so that its room is not taken by a sibling and the
  // victims come back for nothing.
  const auto nominated = [&](TaskIndex t) {
    return !session.snapshot().task(t).record->nominated_node.empty();
  };
  std::ranges::sort(out, [&](TaskIndex a, TaskIndex b) {
    if (nominated(a) != nominated(b)) return nominated(a);
    return session.chains().CompareTasks(a, b) < 0;
  });
  return out;
}

}  // namespace

bool NeverPreempts(const Snapshot& snapshot, TaskIndex task) {
  const TaskFacts& facts = snapshot.task(task);
  return facts.record->preemption_never ||
         (!facts.job.is_none() && snapshot.job(facts.job).record->preemption_never);
}

void JobQueue::Push(JobIndex job) {
  const NamespaceIndex namespace_ = session_->snapshot().job(job).namespace_;
  auto lane = std::ranges::find(lanes_, namespace_, &Lane::namespace_);
  if (lane == lanes_.end()) lane = lanes_.insert(lanes_.end(), Lane{namespace_, {}});
  lane->heap.push_back(job);
  std::ranges::push_heap(
      lane->heap, [&](JobIndex a, JobIndex b) { return session_->chains().CompareJobs(a, b) > 0; });
}

bool JobQueue::empty() const {
  return std::ranges::all_of(lanes_, [](const Lane& lane) { return lane.heap.empty(); });
}

JobIndex JobQueue::Pop() {
  Lane* best = nullptr;
  for (Lane& lane : lanes_) {
    if (lane.heap.empty()) continue;
    if (best == nullptr ||
        session_->chains().CompareJobs(lane.heap.front(), best->heap.front()) < 0)
      best = &lane;
  }
  std::ranges::pop_heap(
      best->heap, [&](JobIndex a, JobIndex b) { return session_->chains().CompareJobs(a, b) > 0; });
  const JobIndex job = best->heap.back();
  best->heap.pop_back();
  return job;
}

std::vector<TaskIndex> PendingTasks(const Session& session, JobIndex job) {
  if (session.state().job(job).Of(TaskStatus::kPending) == 0) return {};
  return Collect(session, job, [&](TaskIndex t) {
    return IsWaiting(session, t) && !session.snapshot().task(t).best_effort;
  });
}

std::vector<TaskIndex> AllPendingTasks(const Session& session, JobIndex job) {
  if (session.state().job(job).Of(TaskStatus::kPending) == 0) return {};
  return Collect(session, job, [&](TaskIndex t) { return IsWaiting(session, t); });
}

std::vector<TaskIndex> UnplacedBestEffortTasks(const Session& session, JobIndex job) {
  const JobCounters& counters = session.state().job(job);
  if (counters.pending_best_effort + counters.Waiting() == 0) return {};
  return Collect(session, job, [&](TaskIndex t) {
    return session.snapshot().task(t).best_effort &&
           (IsWaiting(session, t) || IsReserved(session, t));
  });
}

bool HasPendingTasks(const Session& session, JobIndex job) {
  return session.state().job(job).Of(TaskStatus::kPending) > 0 &&
         std::ranges::any_of(session.snapshot().job(job).tasks,
                             [&](TaskIndex t) { return IsWaiting(session, t); });
}

void QueuedJobs::Add(JobIndex job) {
  const QueueIndex queue = session_->snapshot().job(job).queue;
  const auto [it, added] = jobs_.try_emplace(queue, *session_);
  if (added) queues_.push_back(queue);
  it->second.Push(job);
}

QueueIndex QueuedJobs::Best() const {
  return *std::ranges::min_element(queues_, [&](QueueIndex a, QueueIndex b) {
    return session_->chains().CompareQueues(a, b) < 0;
  });
}

void QueuedJobs::Drop(QueueIndex queue) { std::erase(queues_, queue); }

void KeepOrder(Session& session, JobQueue& jobs, JobIndex head) {
  if (!session.snapshot().queue(session.snapshot().job(head).queue).record->fifo) return;
  if (session.chains().JobReady(head) || session.chains().JobPipelined(head)) return;
  HoldBack(jobs, head, [&](JobIndex j, const Unfit& why) {
    session.attempts().RecordQueueRefusal(j, {.why = why});
  });
}

bool IsActive(const Session& session, JobIndex job) {
  return session.state().phase(job) != JobPhase::kPending &&
         !session.snapshot().job(job).queue.is_none() && session.chains().ValidateJob(job).ok();
}

namespace {

using Entries = std::span<const Pipeline::ActionEntry>;

Entries::iterator RunningNow(const Session& session, Entries actions) {
  return std::ranges::find(actions, session.running(), &Pipeline::ActionEntry::descriptor);
}

bool AnyServesJobs(Entries::iterator first, Entries::iterator last) {
  return std::any_of(first, last,
                     [](const Pipeline::ActionEntry& a) { return a.descriptor->serves_jobs; });
}

}  // namespace

bool JobsAreServedLater(const Session& session) {
  const Entries actions = session.pipeline().actions;
  return AnyServesJobs(RunningNow(session, actions), actions.end());
}

bool JobsWereServed(const Session& session) {
  const Entries actions = session.pipeline().actions;
  return AnyServesJobs(actions.begin(), RunningNow(session, actions));
}

bool IsOwed(const Session& session, TaskIndex task) {
  const QuotaOwner* quota = session.chains().QuotaOf(task);
  return quota != nullptr && quota->IsOwed(task);
}

QueuedJobs CollectStarving(const Session& session, bool owed_too) {
  QueuedJobs out(session);
  for (std::size_t j = 0; j < session.snapshot().jobs.size(); ++j) {
    const JobIndex job(j);
    if (!HasPendingTasks(session, job) || !IsActive(session, job)) continue;
    // Victims are looked for node by node, which knows nothing of domains.
    if (HasHardTopology(session.snapshot().job(job))) continue;
    const auto is_owed = [&](TaskIndex t) { return IsWaiting(session, t) && IsOwed(session, t); };
    if (session.chains().JobStarving(job) ||
        (owed_too && std::ranges::any_of(session.snapshot().job(job).tasks, is_owed)))
      out.Add(job);
  }
  return out;
}

}  // namespace batholith
