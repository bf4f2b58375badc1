#include "plugins/common/queue_sums.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "plugins/common/promises.h"

namespace batholith {
namespace {

constexpr double kShareScale = 4294967296.0;

}  // namespace

QueueSums& QueueSums::operator+=(const QueueSums& more) {
  allocated += more.allocated;
  request += more.request;
  elastic += more.elastic;
  inqueue += more.inqueue;
  return *this;
}

QueueSums SumsOf(const PluginContext& context, JobIndex job) {
  const Snapshot& snapshot = context.snapshot;
  const JobFacts& facts = snapshot.job(job);
  const ResourceVector allocated = context.state.job_allocated(job);
  const ResourceVector& min = facts.min_resources.value_or(SharedResources());
  QueueSums sums;
  sums.allocated = allocated;
  sums.request = allocated;
  const bool any_pending = context.state.job(job).Of(TaskStatus::kPending) > 0;
  for (const TaskIndex t : any_pending ? std::span(facts.tasks) : std::span<const TaskIndex>()) {
    // What no node serves is no reason to keep room from others for.
    if (snapshot.task(t).status == TaskStatus::kPending && !snapshot.task(t).unserved)
      sums.request += snapshot.task(t).request;
  }
  // Pods of a group come, where a controller makes them, once it is admitted.
  if (facts.tasks.empty() && !facts.never_starts()) sums.request += min;
  sums.elastic = (allocated - min).ClampedAtZero();
  if (facts.min_resources)
    sums.inqueue = StillPromised(snapshot, context.state, context.job_phase[job.value()], job);
  return sums;
}

ResourceLimits LimitedTo(const ResourceVector& amounts) {
  ResourceLimits out;
  for (std::size_t r = 0; r < ResourceVector::kMaxDimensions; ++r) out[r] = amounts[r];
  return out;
}

ResourceLimits RealCapability(const ResourceLimits& whole, const ResourceVector& guarantees,
                              const ResourceVector& own_guarantee,
                              const ResourceLimits& capability) {
  ResourceLimits out;
  for (std::size_t r = 0; r < ResourceVector::kMaxDimensions; ++r) {
    out[r] = capability[r];
    if (whole[r] == ResourceLimits::kUnlimited) continue;
    const std::int64_t free =
        std::max<std::int64_t>(ResourceVector::SubSaturating(whole[r], guarantees[r]), 0);
    out[r] = std::min(out[r], ResourceVector::AddSaturating(free, own_guarantee[r]));
  }
  return out;
}

bool StaysWithin(const QueueSums& sums, const ResourceVector& min, const ResourceVector& amounts) {
  return !FirstBeyond(sums.allocated + sums.inqueue, min, amounts);
}

EnqueueVote VoteOnAdmission(const QueueSums& sums, const ResourceVector& min,
                            const ResourceLimits& limits) {
  const ResourceVector after = min + sums.allocated + sums.inqueue - sums.elastic;
  EnqueueVote vote{.vote = Vote::kPermit};
  for (std::size_t r = 0; r < ResourceVector::kMaxDimensions; ++r) {
    if (r == ResourceSchema::kPods || min[r] <= 0 || after[r] <= limits[r]) continue;
    if (vote.short_dims == 0) {
      vote.vote = Vote::kReject;
      vote.why = {Reason::kQueueQuota, false, 0};
      vote.held = ResourceVector::SubSaturating(after[r], min[r]);
      vote.asked = min[r];
      vote.limit = limits[r];
    }
    vote.short_dims |= 1U << r;
  }
  return vote;
}

bool KeepsWholeTasks(std::int64_t held, std::int64_t victim, std::int64_t deserved) {
  return ResourceVector::SubSaturating(held, victim) >= deserved / victim * victim;
}

std::int64_t FixedShare(double share) { return std::llround(std::min(share, 1e6) * kShareScale); }
double ShareOf(std::int64_t fixed_share) { return static_cast<double>(fixed_share) / kShareScale; }

}  // namespace batholith
