#include "plugins/proportion/proportion.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "plugins/common/running_sums.h"
#include "plugins/proportion/water_filling.h"

namespace batholith {
namespace {

struct QueueAttributes {
  bool has_jobs = false;
  ResourceLimits real_capability;
  ResourceVector allocated;  // pipelined tasks count too
  ResourceVector request;
  ResourceVector elastic;
  ResourceVector inqueue;
  ResourceVector deserved;
  std::int64_t share =
      0;  // in 2^-32, rounded: so that equal fractions are equal and the order is transitive
};

constexpr double kShareScale = 4294967296.0;

class Proportion final : public Plugin,
                         public QueueOrder,
                         public QueueAdmission,
                         public QueueShare,
                         public Reclaimable,
                         public JobEnqueueable,
                         public JobAdmitted,
                         public AllocationObserver {
 public:
  explicit Proportion(const PluginContext& context)
      : snapshot_(context.snapshot),
        dims_(context.snapshot.schema.size()),
        queues_(context.snapshot.queues.size()) {
    ResourceVector guarantees;
    for (const QueueFacts& q : snapshot_.queues) guarantees += q.guarantee;
    const ResourceVector free = (snapshot_.total - guarantees).ClampedAtZero();
    for (std::size_t j = 0; j < snapshot_.jobs.size(); ++j) AddJob(context, JobIndex(j));
    std::vector<WaterFillingQueue> water;
    std::vector<std::size_t> places;
    for (std::size_t q = 0; q < queues_.size(); ++q) {
      const QueueFacts& facts = snapshot_.queues[q];
      QueueAttributes& a = queues_[q];
      for (std::size_t r = 0; r < dims_; ++r) {
        a.real_capability[r] = std::min(ResourceVector::AddSaturating(free[r], facts.guarantee[r]),
                                        facts.capability[r]);
      }
      if (!a.has_jobs) continue;
      places.push_back(q);
      water.push_back({std::max<std::int64_t>(facts.record->weight, 1),
                       a.request,
                       a.real_capability,
                       facts.guarantee,
                       {}});
    }
    FillWater(snapshot_.total, dims_, water);
    for (std::size_t i = 0; i < places.size(); ++i) {
      queues_[places[i]].deserved = water[i].deserved;
      UpdateShare(queues_[places[i]]);
    }
  }

  std::weak_ordering CompareQueues(QueueIndex a, QueueIndex b) const override {
    const std::int32_t pa = snapshot_.queue(a).record->priority;
    const std::int32_t pb = snapshot_.queue(b).record->priority;
    if (pa != pb) return pb <=> pa;
    return Of(a).share <=> Of(b).share;
  }

  bool Overused(QueueIndex queue) const override {
    const QueueAttributes& a = Of(queue);
    if (!a.has_jobs) return false;
    for (std::size_t r = 0; r < dims_; ++r) {
      if (a.deserved[r] > a.allocated[r]) return false;
    }
    return true;
  }

  Unfit Admits(QueueIndex queue, TaskIndex task) const override {
    if (snapshot_.queue(queue).record->state != QueueState::kOpen)
      return {Reason::kQueueClosed, false, 0};
    const QueueAttributes& a = Of(queue);
    const ResourceVector& request = snapshot_.task(task).request;
    for (std::size_t r = 0; r < dims_; ++r) {
      if (r == ResourceSchema::kPods || request[r] <= 0) continue;
      if (ResourceVector::AddSaturating(a.allocated[r], request[r]) > a.deserved[r]) {
        return {Reason::kQueueOverLimit, true, static_cast<std::uint32_t>(r)};
      }
    }
    return {};
  }

  bool MayReclaim(QueueIndex queue, TaskIndex task) const override {
    return Admits(queue, task).ok();
  }

  std::optional<QueueFigures> Figures(QueueIndex queue) const override {
    const QueueAttributes& a = Of(queue);
    return QueueFigures{a.deserved, static_cast<double>(a.share) / kShareScale};
  }

  VictimRole ReclaimRole() const override { return VictimRole::kGuard; }

  // A task may go while its queue is over its deserved amount in something that the reclaimer asks
  // for, and keeps at least the whole tasks of this size that its deserved amount holds. Judged
  // after the removal, so that the queue cannot reclaim back what it lost.
  Victims ReclaimVictims(TaskIndex reclaimer,
                         std::span<const TaskIndex> candidates) const override {
    const ResourceVector& wanted = snapshot_.task(reclaimer).request;
    const QueueIndex own = snapshot_.job(snapshot_.task(reclaimer).job).queue;
    RunningSums<QueueIndex> left;
    std::vector<TaskIndex> victims;
    for (const TaskIndex t : candidates) {
      const QueueIndex q = snapshot_.job(snapshot_.task(t).job).queue;
      if (q == own) {  // a quota takes it; nothing changes for the queue
        victims.push_back(t);
        continue;
      }
      ResourceVector& held = left.Of(q, Of(q).allocated);
      if (!MayLose(Of(q), held, snapshot_.task(t).request, wanted)) continue;
      held -= snapshot_.task(t).request;
      victims.push_back(t);
    }
    return victims;
  }

  EnqueueVote EnqueueJob(JobIndex job) const override {
    const JobFacts& facts = snapshot_.job(job);
    EnqueueVote vote{Vote::kReject, {Reason::kQueueMissing, false, 0}, 0};
    if (facts.queue.is_none()) return vote;
    vote.why.reason = Reason::kQueueClosed;
    if (snapshot_.queue(facts.queue).record->state != QueueState::kOpen) return vote;
    if (!facts.min_resources) return {Vote::kPermit, {}, 0};
    const QueueAttributes& a = Of(facts.queue);
    const ResourceVector after = *facts.min_resources + a.allocated + a.inqueue - a.elastic;
    for (std::size_t r = 0; r < dims_; ++r) {
      if (r == ResourceSchema::kPods || (*facts.min_resources)[r] <= 0) continue;
      if (a.real_capability[r] != ResourceLimits::kUnlimited && after[r] > a.real_capability[r]) {
        vote.short_dims |= 1U << r;
      }
    }
    vote.why.reason = Reason::kQueueQuota;
    if (vote.short_dims == 0) return {Vote::kPermit, {}, 0};
    return vote;
  }

  void OnJobAdmitted(JobIndex job) override {
    const JobFacts& facts = snapshot_.job(job);
    if (facts.min_resources && !facts.queue.is_none()) {
      Of(facts.queue).inqueue += (*facts.min_resources - Gated(job)).ClampedAtZero();
    }
  }

  void OnAllocate(TaskIndex task, NodeIndex) override { Count(task, true); }
  void OnDeallocate(TaskIndex task, NodeIndex) override { Count(task, false); }

 private:
  const QueueAttributes& Of(QueueIndex q) const { return queues_[q.value()]; }
  QueueAttributes& Of(QueueIndex q) { return queues_[q.value()]; }

  ResourceVector Gated(JobIndex job) const {
    ResourceVector sum;
    for (const TaskIndex t : snapshot_.job(job).tasks) {
      if (snapshot_.task(t).gated && snapshot_.task(t).status == TaskStatus::kPending)
        sum += snapshot_.task(t).request;
    }
    return sum;
  }

  void AddJob(const PluginContext& context, JobIndex job) {
    const JobFacts& facts = snapshot_.job(job);
    if (facts.queue.is_none()) return;
    QueueAttributes& a = Of(facts.queue);
    a.has_jobs = true;
    const JobCounters& counters = context.state.job(job);
    a.allocated += counters.allocated;
    a.request += counters.allocated;
    for (const TaskIndex t : facts.tasks) {
      if (snapshot_.task(t).status == TaskStatus::kPending) a.request += snapshot_.task(t).request;
    }
    const ResourceVector min = facts.min_resources.value_or(ResourceVector());
    a.elastic += (counters.allocated - min).ClampedAtZero();
    const JobPhase phase = context.job_phase[job.value()];
    const std::int32_t running = counters.Ready() - counters.Of(TaskStatus::kSucceeded);
    if (phase == JobPhase::kInqueue ||
        (phase == JobPhase::kRunning && running >= facts.min_available)) {
      a.inqueue += ((min - counters.allocated).ClampedAtZero() - Gated(job)).ClampedAtZero();
    }
  }

  void Count(TaskIndex task, bool add) {
    const JobIndex job = snapshot_.task(task).job;
    if (job.is_none() || snapshot_.job(job).queue.is_none()) return;
    QueueAttributes& a = Of(snapshot_.job(job).queue);
    if (add) {
      a.allocated += snapshot_.task(task).request;
    } else {
      a.allocated -= snapshot_.task(task).request;
    }
    UpdateShare(a);
  }

  void UpdateShare(QueueAttributes& a) const {
    double share = 0;
    for (std::size_t r = 0; r < dims_; ++r) {
      if (a.deserved[r] > 0) {
        share = std::max(share,
                         static_cast<double>(a.allocated[r]) / static_cast<double>(a.deserved[r]));
      } else if (a.allocated[r] > 0) {
        share = std::max(share, 1.0);
      }
    }
    a.share = std::llround(std::min(share, 1e6) * kShareScale);
  }

  bool MayLose(const QueueAttributes& a, const ResourceVector& held, const ResourceVector& victim,
               const ResourceVector& wanted) const {
    bool over = false;
    for (std::size_t r = 0; r < dims_; ++r) {
      if (r == ResourceSchema::kPods || victim[r] <= 0 || wanted[r] <= 0) continue;
      if (held[r] <= a.deserved[r]) continue;
      over = true;
      const std::int64_t whole_tasks = a.deserved[r] / victim[r] * victim[r];
      if (held[r] - victim[r] < whole_tasks) return false;
    }
    return over;
  }

  const Snapshot& snapshot_;
  std::size_t dims_;
  std::vector<QueueAttributes> queues_;
};

}  // namespace

std::unique_ptr<Plugin> MakeProportion(const PluginContext& context) {
  return std::make_unique<Proportion>(context);
}

}  // namespace batholith
