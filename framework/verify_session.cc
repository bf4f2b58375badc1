#include "framework/verify_session.h"

#include <vector>

#include "api/check.h"

namespace batholith {
namespace {

// Absurd amounts saturate, and what has saturated no longer says what was added first and what was
// taken away later: such a dimension is not compared.
bool SameWhereExact(const ResourceVector& a, const ResourceVector& b, const ResourceVector& reach) {
  for (std::size_t d = 0; d < ResourceVector::kMaxDimensions; ++d) {
    if (reach[d] != INT64_MAX && a[d] != b[d]) return false;
  }
  return true;
}

}  // namespace

void VerifySession(const Session& session) {
  const Snapshot& s = session.snapshot();
  const SessionState& state = session.state();
  std::vector<ResourceVector> used(s.nodes.size());
  std::vector<ResourceVector> future(s.nodes.size());
  std::vector<ResourceVector> queue(s.queues.size());
  // The most that any order of the same steps could have summed up.
  std::vector<ResourceVector> reach(s.nodes.size());
  std::vector<ResourceVector> queue_reach(s.queues.size());
  for (std::size_t n = 0; n < s.nodes.size(); ++n) {
    future[n] = s.nodes[n].allocatable;
    reach[n] = s.nodes[n].allocatable;
  }
  for (std::size_t t = 0; t < s.tasks.size(); ++t) {
    const TaskStatus status = state.status(TaskIndex(t));
    const NodeIndex node = state.node(TaskIndex(t));
    const ResourceVector& request = s.tasks[t].request;
    const JobIndex job = s.tasks[t].job;
    if (!s.tasks[t].node.is_none()) reach[s.tasks[t].node.value()] += request;
    if (!node.is_none() && node != s.tasks[t].node) reach[node.value()] += request;
    if (!job.is_none() && !s.job(job).queue.is_none())
      queue_reach[s.job(job).queue.value()] += request;
    const bool holds = HoldsAllocation(status) && !node.is_none();
    if (holds && !job.is_none() && !s.job(job).queue.is_none()) {
      queue[s.job(job).queue.value()] += request;
    }
    if (node.is_none()) continue;
    CHECK(status != TaskStatus::kPending);
    if (status == TaskStatus::kSucceeded || status == TaskStatus::kFailed) continue;
    if (status != TaskStatus::kPipelined) used[node.value()] += request;
    if (status != TaskStatus::kReleasing) future[node.value()] -= request;
  }
  for (std::size_t n = 0; n < s.nodes.size(); ++n) {
    const NodeIndex node(n);
    CHECK(SameWhereExact(used[n], state.used(node), reach[n]));
    CHECK(SameWhereExact(s.nodes[n].allocatable - used[n], state.idle(node), reach[n]));
    CHECK(SameWhereExact(future[n], state.future_idle(node), reach[n]));
  }
  for (std::size_t q = 0; q < s.queues.size(); ++q)
    CHECK(SameWhereExact(queue[q], state.queue_allocated(QueueIndex(q)), queue_reach[q]));
}

}  // namespace batholith
