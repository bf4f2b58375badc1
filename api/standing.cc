#include "api/standing.h"

#include <algorithm>
#include <utility>

namespace batholith {
namespace {

constexpr std::uint32_t kGone = UINT32_MAX;

bool StandsOn(TaskStatus s) {
  return HoldsAllocation(s) || s == TaskStatus::kPipelined || s == TaskStatus::kReleasing ||
         s == TaskStatus::kUnknown;
}

// Who was written onto a node that does not exist takes nothing from anybody: else one pod with a
// name of its own making and a million cpus would fill its queue.
bool Holds(TaskStatus s, NodeIndex node) { return HoldsAllocation(s) && !node.is_none(); }

}  // namespace

Standing::Standing(const Snapshot& snapshot)
    : status_(snapshot.tasks.size()),
      node_(snapshot.tasks.size()),
      slot_(snapshot.tasks.size()),
      on_nodes_(snapshot.nodes.size() * kNodeColumns, snapshot.schema.size()),
      blocks_(snapshot.nodes.size()),
      jobs_(snapshot.jobs.size()),
      job_allocated_(snapshot.jobs.size(), snapshot.schema.size()),
      queue_allocated_(snapshot.queues.size(), snapshot.schema.size()) {
  for (std::size_t n = 0; n < snapshot.nodes.size(); ++n) {
    for (const NodeColumn column : {kIdle, kFutureIdle, kAllocatable})
      on_nodes_.Set(RowOf(NodeIndex(n), column), snapshot.nodes[n].allocatable);
  }
  for (std::size_t t = 0; t < snapshot.tasks.size(); ++t) {
    const TaskFacts& task = snapshot.tasks[t];
    status_[t] = task.status;
    node_[t] = task.node;
    if (!task.node.is_none() && StandsOn(task.status)) ++blocks_[task.node.value()].room;
  }
  std::uint32_t begin = 0;
  for (Block& block : blocks_) {
    block.begin = begin;
    begin += ++block.room;  // one more may come
  }
  on_node_.resize(begin);
  for (std::size_t t = 0; t < status_.size(); ++t) {
    ComeToNode(snapshot, TaskIndex(t));
    CountTask(snapshot, TaskIndex(t), 1);
  }
}

Standing::Touched Standing::Move(const Snapshot& snapshot, TaskIndex task, TaskStatus status,
                                 NodeIndex node) {
  Touched touched;
  const TaskStatus before = status_[task.value()];
  if (node == node_[task.value()] && HoldsAllocation(status) && HoldsAllocation(before)) {
    Rename(snapshot.task(task).job, before, status);
    status_[task.value()] = status;
    return touched;
  }
  CountTask(snapshot, task, -1);
  if (LeaveNode(snapshot, task)) touched.left = node_[task.value()];
  status_[task.value()] = status;
  node_[task.value()] = node;
  CountTask(snapshot, task, 1);
  if (ComeToNode(snapshot, task)) touched.came = node;
  return touched;
}

// The task holds what it held, where it held it.
void Standing::Rename(JobIndex job, TaskStatus before, TaskStatus now) {
  if (job.is_none()) return;
  --jobs_[job.value()].by_status[static_cast<std::size_t>(before)];
  ++jobs_[job.value()].by_status[static_cast<std::size_t>(now)];
}

void Standing::CountTask(const Snapshot& snapshot, TaskIndex task, int sign) {
  const TaskFacts& facts = snapshot.task(task);
  if (facts.job.is_none()) return;
  const TaskStatus s = status_[task.value()];
  JobCounters& job = jobs_[facts.job.value()];
  job.by_status[static_cast<std::size_t>(s)] += sign;
  if (s == TaskStatus::kPending && facts.best_effort) job.pending_best_effort += sign;
  if (HoldsAllocation(s) && node_[task.value()].is_none()) job.nowhere += sign;
  if (!Holds(s, node_[task.value()])) return;
  const auto count = [&](ResourceTable& sums, std::size_t row) {
    sign > 0 ? sums.Add(row, facts.request) : sums.Subtract(row, facts.request);
  };
  count(job_allocated_, facts.job.value());
  const QueueIndex queue = snapshot.job(facts.job).queue;
  if (!queue.is_none()) count(queue_allocated_, queue.value());
}

bool Standing::LeaveNode(const Snapshot& snapshot, TaskIndex task) {
  const TaskStatus s = status_[task.value()];
  const NodeIndex n = node_[task.value()];
  if (n.is_none() || !StandsOn(s)) return false;
  const ResourceVector& request = snapshot.task(task).request;
  if (s == TaskStatus::kPipelined) {
    on_nodes_.Add(RowOf(n, kFutureIdle), request);
  } else {
    on_nodes_.Subtract(RowOf(n, kUsed), request);
    on_nodes_.Add(RowOf(n, kIdle), request);
    if (s != TaskStatus::kReleasing) on_nodes_.Add(RowOf(n, kFutureIdle), request);
  }
  Block& block = blocks_[n.value()];
  const std::uint32_t slot = slot_[task.value()];
  const TaskIndex last = on_node_[block.begin + --block.size];
  on_node_[block.begin + slot] = last;
  slot_[last.value()] = slot;
  return true;
}

bool Standing::ComeToNode(const Snapshot& snapshot, TaskIndex task) {
  const TaskStatus s = status_[task.value()];
  const NodeIndex n = node_[task.value()];
  if (n.is_none() || !StandsOn(s)) return false;
  const ResourceVector& request = snapshot.task(task).request;
  if (s == TaskStatus::kPipelined) {
    on_nodes_.Subtract(RowOf(n, kFutureIdle), request);
  } else {
    on_nodes_.Add(RowOf(n, kUsed), request);
    on_nodes_.Subtract(RowOf(n, kIdle), request);
    if (s != TaskStatus::kReleasing) on_nodes_.Subtract(RowOf(n, kFutureIdle), request);
  }
  Block& block = blocks_[n.value()];
  if (block.size == block.room) Enlarge(block);
  slot_[task.value()] = block.size;
  on_node_[block.begin + block.size++] = task;
  return true;
}

// A block that grows moves to the end. What it leaves behind is taken out when that is more than
// what all tasks take.
void Standing::Enlarge(Block& block) {
  if (on_node_.size() > 4 * (status_.size() + blocks_.size())) Compact();
  const auto begin = static_cast<std::uint32_t>(on_node_.size());
  const std::uint32_t room = std::max(2 * block.room, 4U);
  on_node_.resize(begin + room);
  std::copy_n(on_node_.begin() + block.begin, block.size, on_node_.begin() + begin);
  block.begin = begin;
  block.room = room;
}

void Standing::Compact() {
  std::vector<TaskIndex> packed;
  packed.reserve(status_.size() + blocks_.size());
  for (Block& block : blocks_) {
    const auto begin = static_cast<std::uint32_t>(packed.size());
    const auto from = on_node_.begin() + block.begin;
    packed.insert(packed.end(), from, from + block.size);
    packed.emplace_back();
    block.begin = begin;
    block.room = block.size + 1;
  }
  on_node_ = std::move(packed);
}

void Standing::PutOn(const Snapshot& snapshot, TaskIndex task) {
  status_[task.value()] = snapshot.task(task).status;
  node_[task.value()] = snapshot.task(task).node;
  ComeToNode(snapshot, task);
}

void Standing::LeaveQueue(const Snapshot& snapshot, JobIndex job) {
  const QueueIndex queue = snapshot.job(job).queue;
  if (!queue.is_none()) queue_allocated_.Subtract(queue.value(), job_allocated_[job.value()]);
  jobs_[job.value()] = {};
  job_allocated_.Set(job.value(), {});
}

void Standing::CountJob(const Snapshot& snapshot, JobIndex job) {
  for (const TaskIndex t : snapshot.job(job).tasks) CountTask(snapshot, t, 1);
}

void Standing::Offer(NodeIndex node, const ResourceVector& before, const ResourceVector& now) {
  for (const NodeColumn column : {kIdle, kFutureIdle, kAllocatable}) {
    on_nodes_.Subtract(RowOf(node, column), before);
    on_nodes_.Add(RowOf(node, column), now);
  }
}

void Standing::RenumberTasks(std::span<const std::uint32_t> numbers, std::size_t tasks) {
  if (!numbers.empty()) {
    std::vector<TaskStatus> status(tasks);
    std::vector<NodeIndex> node(tasks);
    std::vector<std::uint32_t> slot(tasks);
    for (std::size_t was = 0; was < numbers.size(); ++was) {
      const std::uint32_t now = numbers[was];
      if (now == kGone) continue;
      status[now] = status_[was];
      node[now] = node_[was];
      slot[now] = slot_[was];
    }
    status_ = std::move(status);
    node_ = std::move(node);
    slot_ = std::move(slot);
    for (const Block& block : blocks_) {
      for (std::uint32_t i = block.begin; i < block.begin + block.size; ++i)
        on_node_[i] = TaskIndex(numbers[on_node_[i].value()]);
    }
  }
  status_.resize(tasks);
  node_.resize(tasks);
  slot_.resize(tasks);
}

void Standing::RenumberJobs(std::span<const std::uint32_t> numbers, std::size_t jobs) {
  if (!numbers.empty()) {
    std::vector<JobCounters> counters(jobs);
    ResourceTable allocated(jobs, job_allocated_.width());
    for (std::size_t was = 0; was < numbers.size(); ++was) {
      if (numbers[was] == kGone) continue;
      counters[numbers[was]] = jobs_[was];
      allocated.Set(numbers[was], job_allocated_[was]);
    }
    jobs_ = std::move(counters);
    job_allocated_ = std::move(allocated);
  }
  jobs_.resize(jobs);
  job_allocated_.Resize(jobs);
}

}  // namespace batholith
