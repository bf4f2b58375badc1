#include "framework/verify_session.h"

#include <vector>

#include "api/check.h"

namespace batholith {

void VerifySession(const Session& session) {
  const Snapshot& s = session.snapshot();
  const SessionState& state = session.state();
  std::vector<ResourceVector> used(s.nodes.size());
  std::vector<ResourceVector> future(s.nodes.size());
  std::vector<ResourceVector> queue(s.queues.size());
  for (std::size_t n = 0; n < s.nodes.size(); ++n) future[n] = s.nodes[n].allocatable;
  for (std::size_t t = 0; t < s.tasks.size(); ++t) {
    const TaskStatus status = state.status(TaskIndex(t));
    const NodeIndex node = state.node(TaskIndex(t));
    const ResourceVector& request = s.tasks[t].request;
    const JobIndex job = s.tasks[t].job;
    if (HoldsAllocation(status) && !job.is_none() && !s.job(job).queue.is_none()) {
      queue[s.job(job).queue.value()] += request;
    }
    if (node.is_none()) continue;
    CHECK(status != TaskStatus::kPending);
    if (status == TaskStatus::kSucceeded || status == TaskStatus::kFailed) continue;
    if (status != TaskStatus::kPipelined) used[node.value()] += request;
    if (status != TaskStatus::kReleasing) future[node.value()] -= request;
  }
  for (std::size_t n = 0; n < s.nodes.size(); ++n) {
    CHECK(used[n] == state.used(NodeIndex(n)));
    CHECK(s.nodes[n].allocatable - used[n] == state.idle(NodeIndex(n)));
    CHECK(future[n] == state.future_idle(NodeIndex(n)));
  }
  for (std::size_t q = 0; q < s.queues.size(); ++q)
    CHECK(queue[q] == state.queue_allocated(QueueIndex(q)));
}

}  // namespace batholith
