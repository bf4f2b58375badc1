#include "plugins/common/promises.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace batholith {
namespace {

ResourceVector Minimum(const Snapshot& snapshot, const JobFacts& facts) {
  if (facts.min_resources) return *facts.min_resources;
  ResourceVector sum;
  for (const TaskIndex t : facts.tasks | std::views::take(std::max(facts.min_available, 0)))
    sum += snapshot.task(t).request;
  return sum;
}

ResourceVector Gated(const Snapshot& snapshot, const JobFacts& facts) {
  ResourceVector sum;
  for (const TaskIndex t : facts.tasks) {
    if (snapshot.task(t).gated && snapshot.task(t).status == TaskStatus::kPending)
      sum += snapshot.task(t).request;
  }
  return sum;
}

}  // namespace

ResourceVector PromisedTo(const Snapshot& snapshot, JobIndex job) {
  const JobFacts& facts = snapshot.job(job);
  if (facts.never_starts()) return {};
  return (Minimum(snapshot, facts) - Gated(snapshot, facts)).ClampedAtZero();
}

ResourceVector StillToCome(const Snapshot& snapshot, const SessionState& state, JobIndex job) {
  const JobFacts& facts = snapshot.job(job);
  if (facts.never_starts()) return {};
  const JobCounters& counters = state.job(job);
  // As a rule nothing is missing. Without minResources the minimum is what some of its pods ask
  // for.
  if (facts.min_resources ? facts.min_resources->FitsIn(state.job_allocated(job))
                          : std::cmp_equal(counters.Holding(), facts.tasks.size()))
    return {};
  const ResourceVector missing =
      (Minimum(snapshot, facts) - state.job_allocated(job)).ClampedAtZero();
  if (missing == ResourceVector() || counters.Of(TaskStatus::kPending) == 0) return missing;
  return (missing - Gated(snapshot, facts)).ClampedAtZero();
}

ResourceVector StillPromised(const Snapshot& snapshot, const SessionState& state, JobPhase phase,
                             JobIndex job) {
  const JobCounters& counters = state.job(job);
  const std::int32_t running = counters.Ready() - counters.Of(TaskStatus::kSucceeded);
  const bool admitted = phase == JobPhase::kInqueue ||
                        (phase == JobPhase::kRunning && running >= snapshot.job(job).min_available);
  return admitted ? StillToCome(snapshot, state, job) : ResourceVector();
}

}  // namespace batholith
