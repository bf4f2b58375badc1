#include "plugins/common/queue_sums.h"

#include <algorithm>
#include <cmath>

namespace batholith {
namespace {

constexpr double kShareScale = 4294967296.0;

ResourceVector Gated(const Snapshot& snapshot, JobIndex job) {
  ResourceVector sum;
  for (const TaskIndex t : snapshot.job(job).tasks) {
    if (snapshot.task(t).gated && snapshot.task(t).status == TaskStatus::kPending)
      sum += snapshot.task(t).request;
  }
  return sum;
}

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
  const JobCounters& counters = context.state.job(job);
  const ResourceVector min = facts.min_resources.value_or(ResourceVector());
  QueueSums sums;
  sums.allocated = counters.allocated;
  sums.request = counters.allocated;
  for (const TaskIndex t : facts.tasks) {
    // What no node serves is no reason to keep room from others for.
    if (snapshot.task(t).status == TaskStatus::kPending && !snapshot.task(t).unserved)
      sums.request += snapshot.task(t).request;
  }
  sums.elastic = (counters.allocated - min).ClampedAtZero();
  if (!facts.unserved_minimum.empty()) return sums;  // it was promised what it can never have
  const JobPhase phase = context.job_phase[job.value()];
  const std::int32_t running = counters.Ready() - counters.Of(TaskStatus::kSucceeded);
  if (phase == JobPhase::kInqueue ||
      (phase == JobPhase::kRunning && running >= facts.min_available)) {
    sums.inqueue =
        ((min - counters.allocated).ClampedAtZero() - Gated(snapshot, job)).ClampedAtZero();
  }
  return sums;
}

ResourceVector PromisedTo(const Snapshot& snapshot, JobIndex job) {
  return (*snapshot.job(job).min_resources - Gated(snapshot, job)).ClampedAtZero();
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
