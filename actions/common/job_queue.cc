#include "actions/common/job_queue.h"

#include <algorithm>
#include <map>

namespace batholith {
namespace {

bool IsWaiting(const Session& session, TaskIndex task) {
  return session.state().status(task) == TaskStatus::kPending &&
         !session.snapshot().task(task).gated;
}

template <typename Keep>
std::vector<TaskIndex> Collect(const Session& session, JobIndex job, Keep keep) {
  std::vector<TaskIndex> out;
  for (const TaskIndex t : session.snapshot().job(job).tasks) {
    if (IsWaiting(session, t) && keep(session.snapshot().task(t))) out.push_back(t);
  }
  // A task that others made room for goes first, so that its room is not taken by a sibling and the
  // victims come back for nothing.
  const auto nominated = [&](TaskIndex t) {
    return !session.snapshot().task(t).record->nominated_node.empty();
  };
  std::ranges::sort(out, [&](TaskIndex a, TaskIndex b) {
    if (nominated(a) != nominated(b)) return nominated(a);
    return session.CompareTasks(a, b) < 0;
  });
  return out;
}

}  // namespace

void JobQueue::Push(JobIndex job) {
  const NamespaceIndex ns = session_->snapshot().job(job).namespace_;
  auto lane = std::ranges::find(lanes_, ns, &Lane::name_space);
  if (lane == lanes_.end()) lane = lanes_.insert(lanes_.end(), Lane{ns, {}});
  lane->heap.push_back(job);
  std::ranges::push_heap(lane->heap,
                         [&](JobIndex a, JobIndex b) { return session_->CompareJobs(a, b) > 0; });
}

bool JobQueue::empty() const {
  return std::ranges::all_of(lanes_, [](const Lane& lane) { return lane.heap.empty(); });
}

JobIndex JobQueue::Pop() {
  Lane* best = nullptr;
  for (Lane& lane : lanes_) {
    if (lane.heap.empty()) continue;
    if (best == nullptr || session_->CompareJobs(lane.heap.front(), best->heap.front()) < 0)
      best = &lane;
  }
  std::ranges::pop_heap(best->heap,
                        [&](JobIndex a, JobIndex b) { return session_->CompareJobs(a, b) > 0; });
  const JobIndex job = best->heap.back();
  best->heap.pop_back();
  return job;
}

std::vector<TaskIndex> PendingTasks(const Session& session, JobIndex job, bool best_effort) {
  return Collect(session, job, [&](const TaskFacts& t) { return t.best_effort == best_effort; });
}

std::vector<TaskIndex> AllPendingTasks(const Session& session, JobIndex job) {
  return Collect(session, job, [](const TaskFacts&) { return true; });
}

bool HasPendingTasks(const Session& session, JobIndex job, bool best_effort) {
  return std::ranges::any_of(session.snapshot().job(job).tasks, [&](TaskIndex t) {
    return IsWaiting(session, t) && session.snapshot().task(t).best_effort == best_effort;
  });
}

void QueuedJobs::Add(JobIndex job) {
  const QueueIndex queue = session_->snapshot().job(job).queue;
  const auto [it, added] = jobs_.try_emplace(queue, *session_);
  if (added) queues_.push_back(queue);
  it->second.Push(job);
}

QueueIndex QueuedJobs::Best() const {
  return *std::ranges::min_element(
      queues_, [&](QueueIndex a, QueueIndex b) { return session_->CompareQueues(a, b) < 0; });
}

void QueuedJobs::Drop(QueueIndex queue) { std::erase(queues_, queue); }

bool IsActive(const Session& session, JobIndex job) {
  return session.phase(job) != JobPhase::kPending && !session.snapshot().job(job).queue.is_none() &&
         session.ValidateJob(job).ok();
}

namespace {

bool AllocateFollows(const Session& session) {
  const auto& actions = session.pipeline().actions;
  const auto name = [](const Pipeline::ActionEntry& a) { return a.descriptor->name; };
  const auto now = std::ranges::find(actions, session.action(), name);
  return std::ranges::find(now, actions.end(), "allocate", name) != actions.end();
}

// An earlier session made room for the job's minimum, and the room is idle now: an allocate that
// comes later in this session binds it. Reserving it once more, session after session, would keep
// allocate from it for ever.
bool RoomIsThere(const Session& session, JobIndex job) {
  const Snapshot& snapshot = session.snapshot();
  std::map<NodeIndex, ResourceVector> taken;
  std::int32_t ready = session.state().job(job).Ready();
  bool any = false;
  for (const TaskIndex t : snapshot.job(job).tasks) {
    const NodeIndex node = snapshot.task(t).nominated;
    if (!IsWaiting(session, t) || node.is_none()) continue;
    const ResourceVector with = taken[node] + snapshot.task(t).request;
    session.PreparePredicates(t);
    if (!with.FitsIn(session.state().idle(node)) || !session.CheckNode(t, node, nullptr).ok())
      continue;
    taken[node] = with;
    any = true;
    ++ready;
  }
  return any && ready >= snapshot.job(job).min_available;
}

}  // namespace

QueuedJobs CollectStarving(const Session& session) {
  QueuedJobs out(session);
  const bool allocate_follows = AllocateFollows(session);
  for (std::size_t j = 0; j < session.snapshot().jobs.size(); ++j) {
    const JobIndex job(j);
    const bool pending = HasPendingTasks(session, job, /*best_effort=*/false) ||
                         HasPendingTasks(session, job, /*best_effort=*/true);
    if (!pending || !IsActive(session, job) || !session.JobStarving(job)) continue;
    if (allocate_follows && RoomIsThere(session, job)) continue;
    out.Add(job);
  }
  return out;
}

}  // namespace batholith
