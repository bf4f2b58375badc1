#include "plugins/proportion/proportion.h"

#include <algorithm>
#include <vector>

#include "framework/describe_plugin.h"
#include "plugins/common/promises.h"
#include "plugins/common/queue_sums.h"
#include "plugins/common/running_sums.h"
#include "plugins/proportion/water_filling.h"

namespace batholith {
namespace {

struct QueueAttributes {
  bool has_jobs = false;
  ResourceLimits real_capability;
  QueueSums sums;
  ResourceVector deserved;
  std::int64_t share = 0;  // see FixedShare
};

class Proportion final : public Plugin,
                         public QueueOrder,
                         public QueueAdmission,
                         public ShortfallSource,
                         public QueueShare,
                         public Reclaimable,
                         public JobEnqueueable,
                         public JobGuaranteed,
                         public JobAdmitted,
                         public AllocationObserver {
 public:
  explicit Proportion(const PluginContext& context)
      : snapshot_(context.snapshot),
        state_(context.state),
        dims_(context.snapshot.schema.size()),
        takes_back_(context.asked.Has(Point::kReclaimable)),
        limits_places_(context.points.Has(Point::kAllocatable)),
        queues_(context.snapshot.queues.size()),
        within_deserved_(context.snapshot.queues.size()) {
    ResourceVector guarantees;
    for (const QueueFacts& q : snapshot_.queues) guarantees += q.guarantee;
    const ResourceLimits total = LimitedTo(context.Shared());
    for (std::size_t j = 0; j < snapshot_.jobs.size(); ++j) AddJob(context, JobIndex(j));
    std::vector<WaterFillingQueue> water;
    std::vector<std::size_t> places;
    for (std::size_t q = 0; q < queues_.size(); ++q) {
      const QueueFacts& facts = snapshot_.queues[q];
      QueueAttributes& a = queues_[q];
      a.real_capability = RealCapability(total, guarantees, facts.guarantee, facts.capability);
      if (!a.has_jobs) continue;
      // Who asks for nothing and is guaranteed nothing gets nothing, and must not slow the others'
      // water down on its way.
      if (a.sums.request == ResourceVector() && facts.guarantee == ResourceVector()) continue;
      places.push_back(q);
      water.push_back({std::max<std::int64_t>(facts.record->weight, 1),
                       a.sums.request,
                       a.real_capability,
                       facts.guarantee,
                       {}});
    }
    FillWater(context.Shared(), dims_, water);
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
      if (a.deserved[r] > a.sums.allocated[r]) return false;
    }
    return true;
  }

  QueueVerdict Admits(QueueIndex queue, TaskIndex task) const override {
    if (snapshot_.queue(queue).record->state != QueueState::kOpen)
      return {.why = {Reason::kQueueClosed, false, 0}};
    const QueueAttributes& a = Of(queue);
    const ResourceVector& request = snapshot_.task(task).request;
    const std::optional<std::size_t> r = FirstBeyond(a.sums.allocated, request, a.deserved);
    if (!r) return {};
    return {.why = {Reason::kQueueOverLimit, true, static_cast<std::uint32_t>(*r)},
            .held = a.sums.allocated[*r],
            .asked = request[*r],
            .limit = a.deserved[*r]};
  }

  bool AddShortfalls(QueueIndex queue, TaskIndex task, std::vector<Shortfall>& out) const override {
    if (snapshot_.queue(queue).record->state != QueueState::kOpen) {
      out.push_back({.source = this, .amount = Shortfall::kForGood});
      return true;
    }
    const QueueAttributes& a = Of(queue);
    AddBeyond(*this, queue.value(), a.sums.allocated, snapshot_.task(task).request, a.deserved,
              out);
    return true;
  }
  std::int64_t Relief(const Shortfall& shortfall, TaskIndex leaving) const override {
    const TaskFacts& facts = snapshot_.task(leaving);
    const bool counts = snapshot_.job(facts.job).queue == QueueIndex(shortfall.place);
    return counts ? facts.request[shortfall.dimension] : 0;
  }

  bool MayReclaim(QueueIndex queue, TaskIndex task) const override {
    return Admits(queue, task).ok();
  }

  std::optional<QueueFigures> Figures(QueueIndex queue) const override {
    const QueueAttributes& a = Of(queue);
    return QueueFigures{a.deserved, ShareOf(a.share)};
  }

  VictimRole ReclaimRole() const override { return VictimRole::kCountingGuard; }

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
      ResourceVector& held = left.Of(q, Of(q).sums.allocated);
      if (!MayLose(Of(q), held, snapshot_.task(t).request, wanted)) continue;
      held -= snapshot_.task(t).request;
      victims.push_back(t);
    }
    return victims;
  }

  EnqueueVote EnqueueJob(JobIndex job) const override {
    const QueueIndex queue = snapshot_.job(job).queue;
    return VoteOn(job, queue.is_none() ? ResourceLimits() : Of(queue).real_capability);
  }
  // What others hold of the cluster is given back; what the queue's object limits still holds.
  EnqueueVote EnqueueGuaranteed(JobIndex job) const override {
    const QueueIndex queue = snapshot_.job(job).queue;
    return VoteOn(job, queue.is_none() ? ResourceLimits() : snapshot_.queue(queue).capability);
  }

  // Within its guarantee, or within what it deserves, where that is taken back for it.
  bool IsGuaranteed(JobIndex job) const override {
    const JobFacts& facts = snapshot_.job(job);
    if (facts.queue.is_none()) return false;
    const QueueAttributes& a = Of(facts.queue);
    return StaysWithin(a.sums, *facts.min_resources, snapshot_.queue(facts.queue).guarantee) ||
           (takes_back_ && StaysWithin(a.sums, *facts.min_resources, a.deserved));
  }

  void OnJobAdmitted(JobIndex job) override {
    const JobFacts& facts = snapshot_.job(job);
    if (facts.min_resources && !facts.queue.is_none())
      Of(facts.queue).sums.inqueue += PromisedTo(snapshot_, job);
  }
  void OnAdmission(bool open) override {
    if (open) within_deserved_.assign(queues_.size(), {});
  }
  // What a queue deserves lets no more of it have places.
  HeldBack HoldsBack(JobIndex job) const override {
    const QueueIndex queue = snapshot_.job(job).queue;
    if (queue.is_none() || !limits_places_) return HeldBack::kNot;
    const QueueAttributes& a = Of(queue);
    const bool beyond = FirstBeyond(a.sums.allocated + within_deserved_[queue.value()],
                                    StillToCome(snapshot_, state_, job), a.deserved)
                            .has_value();
    return beyond ? HeldBack::kByQueue : HeldBack::kNot;
  }
  void OnPromised(JobIndex job) override {
    const QueueIndex queue = snapshot_.job(job).queue;
    if (!queue.is_none()) within_deserved_[queue.value()] += StillToCome(snapshot_, state_, job);
  }
  void OnHeldBack(JobIndex job, HeldBack by) override {
    const QueueIndex queue = snapshot_.job(job).queue;
    if (by == HeldBack::kByQuota && !queue.is_none())
      Of(queue).sums.inqueue -= StillToCome(snapshot_, state_, job);
  }

  void OnAllocate(TaskIndex task, NodeIndex) override { Count(task, true); }
  void OnDeallocate(TaskIndex task, NodeIndex) override { Count(task, false); }

 private:
  const QueueAttributes& Of(QueueIndex q) const { return queues_[q.value()]; }
  QueueAttributes& Of(QueueIndex q) { return queues_[q.value()]; }

  EnqueueVote VoteOn(JobIndex job, const ResourceLimits& limits) const {
    const JobFacts& facts = snapshot_.job(job);
    EnqueueVote vote{Vote::kReject, {Reason::kQueueMissing, false, 0}, 0};
    if (facts.queue.is_none()) return vote;
    vote.why.reason = Reason::kQueueClosed;
    if (snapshot_.queue(facts.queue).record->state != QueueState::kOpen) return vote;
    if (!facts.min_resources) return {Vote::kPermit, {}, 0};
    return VoteOnAdmission(Of(facts.queue).sums, *facts.min_resources, limits);
  }

  void AddJob(const PluginContext& context, JobIndex job) {
    const JobFacts& facts = snapshot_.job(job);
    if (facts.queue.is_none()) return;
    Of(facts.queue).has_jobs = true;
    Of(facts.queue).sums += SumsOf(context, job);
  }

  void Count(TaskIndex task, bool add) {
    const JobIndex job = snapshot_.task(task).job;
    if (job.is_none() || snapshot_.job(job).queue.is_none()) return;
    QueueAttributes& a = Of(snapshot_.job(job).queue);
    if (add) {
      a.sums.allocated += snapshot_.task(task).request;
    } else {
      a.sums.allocated -= snapshot_.task(task).request;
    }
    UpdateShare(a);
  }

  void UpdateShare(QueueAttributes& a) const {
    double share = 0;
    for (std::size_t r = 0; r < dims_; ++r) {
      if (a.deserved[r] > 0) {
        share = std::max(
            share, static_cast<double>(a.sums.allocated[r]) / static_cast<double>(a.deserved[r]));
      } else if (a.sums.allocated[r] > 0) {
        share = std::max(share, 1.0);
      }
    }
    a.share = FixedShare(share);
  }

  bool MayLose(const QueueAttributes& a, const ResourceVector& held, const ResourceVector& victim,
               const ResourceVector& wanted) const {
    bool over = false;
    for (std::size_t r = 0; r < dims_; ++r) {
      if (r == ResourceSchema::kPods || victim[r] <= 0 || wanted[r] <= 0) continue;
      if (held[r] <= a.deserved[r]) continue;
      over = true;
      if (!KeepsWholeTasks(held[r], victim[r], a.deserved[r])) return false;
    }
    return over;
  }

  const Snapshot& snapshot_;
  const SessionState& state_;
  std::size_t dims_;
  bool takes_back_;     // action reclaim runs
  bool limits_places_;  // nobody gets a place beyond what its queue deserves
  std::vector<QueueAttributes> queues_;
  std::vector<ResourceVector> within_deserved_;  // by queue: admitted, and not held back
};

}  // namespace

PluginDescriptor ProportionPlugin() {
  return DescribePlugin<Proportion>({
      .name = "proportion",
      .summary = "divides the cluster among queues by weight",
      .ranks = {Point::kReclaimable},
  });
}

}  // namespace batholith
