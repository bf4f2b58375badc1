#include "plugins/elasticquota/elasticquota.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "framework/describe_plugin.h"
#include "framework/disruption_budgets.h"
#include "framework/quota_owner.h"
#include "plugins/common/queue_sums.h"
#include "plugins/elasticquota/options.h"
#include "plugins/elasticquota/revocation.h"
#include "quota/admission.h"
#include "quota/admitted.h"
#include "quota/figures.h"
#include "quota/held_by_priority.h"
#include "quota/jobs.h"
#include "quota/pods.h"
#include "quota/share.h"
#include "quota/victims.h"
#include "quota/waiting.h"

namespace batholith {
namespace {

// How a task stands in its quota's sums.
enum class Standing : std::uint8_t {
  kOutside,    // waits
  kNominated,  // waits, with room that an earlier session made for it
  kReserved,   // pipelined by this session
  kAssigned,
  kReleasing,
};

ResourceVector AllocatableOfAll(const Snapshot& snapshot) {
  ResourceVector total;
  for (const NodeFacts& node : snapshot.nodes) {
    if (!node.record->meta.deleting) total += node.allocatable;
  }
  return total;
}

class ElasticQuota final : public Plugin,
                           public QueueAdmission,
                           public ShortfallSource,
                           public Preemptable,
                           public Reclaimable,
                           public QuotaOwner,
                           public JobOrder,
                           public JobEnqueueable,
                           public JobGuaranteed,
                           public JobAdmitted,
                           public AllocationObserver {
 public:
  ElasticQuota(const PluginContext& context, const QuotaOptions& options)
      : snapshot_(context.snapshot),
        state_(context.state),
        forest_(*snapshot_.objects, snapshot_.schema, AllocatableOfAll(snapshot_), options),
        pods_(snapshot_, forest_),
        jobs_(snapshot_, forest_, pods_),
        budgets_(*snapshot_.objects),
        standing_(snapshot_.tasks.size(), Standing::kOutside),
        admitted_(forest_, context.asked.Has(Point::kReclaimable)) {
    if (forest_.empty()) return;
    OpenTasks();
    if (options.older_first) waiting_.emplace(snapshot_, pods_, jobs_.quotas(), forest_.size());
    if (context.asked.Has(Point::kPreemptable)) FindLessImportant();
    for (std::size_t j = 0; j < snapshot_.jobs.size(); ++j)
      OpenJob(JobIndex(j), context.job_phase[j]);
  }

  // --- admission ---

  QueueVerdict Admits(QueueIndex, TaskIndex task) const override { return Ask(task, false); }
  QueueVerdict AdmitsSoon(QueueIndex, TaskIndex task) const override { return Ask(task, true); }

  bool AddShortfalls(QueueIndex, TaskIndex task, std::vector<Shortfall>& out) const override {
    const QuotaIndex q = pods_.quota(task);
    if (q.is_none()) return true;
    if (waiting_) return false;
    lacks_.clear();
    const bool all = AddQuotaLacks(forest_, q, pods_.pod(task), Own(task), lacks_);
    AddLacks(out);
    return all;
  }
  std::int64_t Relief(const Shortfall& shortfall, TaskIndex leaving) const override {
    if (standing_[leaving.value()] != Standing::kAssigned) return 0;
    const QuotaIndex q = pods_.quota(leaving);
    QuotaIndex at = q;
    while (!at.is_none() && at.value() != shortfall.place) at = forest_.node(at).parent;
    const QuotaPod& pod = pods_.pod(leaving);
    const bool counts =
        !at.is_none() && (forest_.CountedIn(q, pod) >> shortfall.dimension & 1U) != 0;
    return counts ? pod.request[shortfall.dimension] : 0;
  }

  std::string RefusalText(const QueueVerdict& refusal) const override {
    return VerdictText(forest_, pods_.quota(refusal.task),
                       {.why = static_cast<QuotaVerdict::Why>(refusal.rule),
                        .at = QuotaIndex(refusal.place),
                        .dimension = refusal.why.detail,
                        .used = refusal.held,
                        .asked = refusal.asked,
                        .limit = refusal.limit});
  }

  std::optional<std::int64_t> WeightIn(const QueueVerdict& refusal, TaskIndex task) const override {
    QuotaIndex at = pods_.quota(task);
    while (!at.is_none() && at != QuotaIndex(refusal.place)) at = forest_.node(at).parent;
    if (at.is_none()) return 0;
    const std::size_t r = refusal.why.detail;
    return ToBaseUnits(r, pods_.pod(task).request[r]);
  }

  // A group is admitted while its minimum fits under the max of its quota (not the runtime, which
  // would make jobs flap); what the quota's jobs hold beyond their minimums can be taken back, and,
  // where action preempt runs, what less important pods of the quota hold.
  EnqueueVote EnqueueJob(JobIndex job) const override {
    const QuotaIndex q = jobs_.quota(job);
    if (q.is_none() || !snapshot_.job(job).min_resources) return {Vote::kAbstain, {}, 0};
    auto r = admitted_.BeyondMax(q, jobs_.Minimum(job), HeldByLessImportant(q, job));
    if (!r) r = KeptForJobsBefore(job);
    if (!r) return {Vote::kPermit, {}, 0};
    return {Vote::kReject, {Reason::kQuotaOverLimit, true, *r}, 1U << *r};
  }

  // Within the min of its quota, with what that holds and has admitted.
  bool IsGuaranteed(JobIndex job) const override {
    return admitted_.IsGuaranteed(jobs_.quota(job), jobs_.Minimum(job));
  }

  void OnJobAdmitted(JobIndex job) override { Enqueue(job, jobs_.Minimum(job)); }
  void OnAdmission(bool open) override {
    admitting_ = open;
    if (open) admitted_.StartOver();
  }
  HeldBack HoldsBack(JobIndex job) const override {
    return admitted_.HoldsBack(jobs_.quota(job), StillNeeded(job)) ? HeldBack::kByQuota
                                                                   : HeldBack::kNot;
  }
  void OnPromised(JobIndex job) override { admitted_.Promise(jobs_.quota(job), StillNeeded(job)); }

  // --- order: quotas below their min first, then by what they use of what they may ---

  std::weak_ordering CompareJobs(JobIndex a, JobIndex b) const override {
    if (forest_.empty()) return std::weak_ordering::equivalent;
    const QuotaShare x = ShareOf(a);
    const QuotaShare y = ShareOf(b);
    return std::pair(x.reached_min, FixedShare(x.of_limit)) <=>
           std::pair(y.reached_min, FixedShare(y.of_limit));
  }

  // --- victims ---

  VictimRole PreemptRole() const override { return VictimRole::kCountingGuard; }
  VictimRole ReclaimRole() const override { return VictimRole::kCountingGuard; }
  Victims PreemptVictims(TaskIndex preemptor, std::span<const TaskIndex> c) const override {
    return Judge(preemptor, c);
  }
  Victims ReclaimVictims(TaskIndex preemptor, std::span<const TaskIndex> c) const override {
    return Judge(preemptor, c);
  }

  bool BudgetsProtect() const override { return !budgets_.allowed().empty(); }

  bool HasQuota(TaskIndex task) const override { return !pods_.quota(task).is_none(); }

  std::span<const TaskIndex> SharingQuotas(TaskIndex preemptor) const override {
    return pods_.Sharing(pods_.quota(preemptor));
  }

  Limits PlanLimits(TaskIndex preemptor) const override {
    const QuotaOptions& options = forest_.options();
    return {forest_.node(pods_.quota(preemptor)).policy.cross_node,
            static_cast<std::size_t>(options.max_victims),
            static_cast<std::size_t>(options.max_touched_nodes)};
  }

  std::size_t OrderForPuttingBack(std::vector<TaskIndex>& victims) const override {
    std::ranges::sort(
        victims, [&](TaskIndex a, TaskIndex b) { return QuotaPods::FallsBefore(snapshot_, b, a); });
    return budgets_.ViolatingFirst(snapshot_, victims);
  }

  ResourceVector Held(TaskIndex preemptor) const override {
    return HeldBy(forest_, pods_.quota(preemptor), pods_.pod(preemptor), Own(preemptor));
  }
  bool KeepsFair(TaskIndex preemptor, const ResourceVector& before) const override {
    return batholith::KeepsFair(forest_, pods_.quota(preemptor), pods_.pod(preemptor),
                                Own(preemptor), before);
  }

  bool AddUnfair(TaskIndex preemptor, const ResourceVector& before,
                 std::vector<Shortfall>& out) const override {
    lacks_.clear();
    const bool all = AddFairLacks(forest_, pods_.quota(preemptor), pods_.pod(preemptor),
                                  Own(preemptor), before, lacks_);
    AddLacks(out);
    return all;
  }

  bool IsOwed(TaskIndex task) const override {
    const QuotaIndex q = pods_.quota(task);
    if (q.is_none() || forest_.node(q).role != QuotaRole::kQuota) return false;
    const QuotaPod& pod = pods_.pod(task);
    return !forest_.OverMin(q, HeldBy(forest_, q, pod, Own(task)), pod.request);
  }

  // --- what is over its runtime for too long ---

  std::vector<Revoked> Revoke() override {
    const QuotaOptions& options = forest_.options();
    if (!options.monitor_all || !options.use_runtime) return {};
    revocation_.emplace(snapshot_, state_, forest_, pods_, budgets_);
    std::vector<Revoked> out;
    for (std::size_t i = 0; i < forest_.size(); ++i) {
      const QuotaIndex q(i);
      if (!revocation_->IsDue(q)) continue;
      for (const TaskIndex t : revocation_->Of(q, Revocable(q))) {
        out.push_back({t, options.revoke_by});
        Stand(t, Standing::kReleasing);
      }
    }
    return out;
  }

  // --- bookkeeping ---

  void OnAllocate(TaskIndex task, NodeIndex) override {
    const bool reserved = state_.status(task) == TaskStatus::kPipelined;
    Stand(task, reserved ? Standing::kReserved : Standing::kAssigned);
  }
  void OnDeallocate(TaskIndex task, NodeIndex) override {
    const bool leaves = state_.status(task) == TaskStatus::kReleasing;
    Stand(task, leaves ? Standing::kReleasing : Before(task));
  }

  void ReportQuotas(bool with_pods, CycleResult& result) const override {
    ReportForest(snapshot_, forest_, pods_, with_pods, result);
    if (revocation_) revocation_->Report(result);
  }

 private:
  // What could leave of a quota that holds too much.
  std::vector<TaskIndex> Revocable(QuotaIndex q) const {
    std::vector<TaskIndex> out;
    for (const TaskIndex t : pods_.Below(forest_, q)) {
      const TaskFacts& facts = snapshot_.task(t);
      if (standing_[t.value()] != Standing::kAssigned || !pods_.pod(t).preemptible) continue;
      if (!facts.job.is_none() && HoldsAllocation(facts.status)) out.push_back(t);
    }
    return out;
  }

  void AddLacks(std::vector<Shortfall>& out) const {
    for (const QuotaLack& lack : lacks_) {
      out.push_back({this, static_cast<std::uint32_t>(lack.at.value()),
                     static_cast<std::uint32_t>(lack.dimension), lack.amount});
    }
  }

  QueueVerdict Ask(TaskIndex task, bool soon) const {
    const QuotaIndex q = pods_.quota(task);
    if (q.is_none()) return {};
    QuotaVerdict verdict = AdmitToQuota(forest_, q, pods_.pod(task), soon, Own(task));
    if (verdict.ok()) verdict = AskForJobsBefore(task, soon);
    if (verdict.ok()) return {};
    const auto base = [&](std::int64_t units) { return ToBaseUnits(verdict.dimension, units); };
    return {.why = {Reason::kQuotaOverLimit, true, static_cast<std::uint32_t>(verdict.dimension)},
            .held = base(verdict.used),
            .asked = base(verdict.asked),
            .limit = base(verdict.limit),
            .rule = static_cast<std::uint32_t>(verdict.why),
            .place = static_cast<std::uint32_t>(verdict.at.value())};
  }

  // Whether a job before the task's own needs more than its quota has left.
  QuotaVerdict AskForJobsBefore(TaskIndex task, bool soon) const {
    const JobIndex job = snapshot_.task(task).job;
    QuotaVerdict verdict;
    if (!waiting_ || job.is_none()) return verdict;
    waiting_->FirstBefore(job, state_, [&](JobIndex before, const QuotaPod& need) {
      if (IsBeyondMax(forest_, jobs_.quota(before), need.request)) return false;
      verdict = AdmitToQuota(forest_, jobs_.quota(before), need, soon);
      return !verdict.ok();
    });
    if (!verdict.ok()) verdict.why = QuotaVerdict::Why::kBefore;
    return verdict;
  }

  // Before it has places, a job before keeps what is left as well.
  std::optional<std::uint32_t> KeptForJobsBefore(JobIndex job) const {
    std::optional<std::uint32_t> r;
    if (!waiting_) return r;
    waiting_->FirstBefore(job, state_, [&](JobIndex before, const QuotaPod&) {
      if (state_.phase(before) != JobPhase::kPending ||
          IsBeyondMax(forest_, jobs_.quota(before), jobs_.Minimum(before)))
        return false;
      r = admitted_.BeyondMax(jobs_.quota(before), jobs_.Minimum(before),
                              HeldByLessImportant(jobs_.quota(before), before));
      return r.has_value();
    });
    return r;
  }

  // The reservation that an earlier session made for this very task is no other's.
  OwnReservation Own(TaskIndex task) const {
    return standing_[task.value()] == Standing::kNominated ? OwnReservation::kCounted
                                                           : OwnReservation::kNone;
  }

  Victims Judge(TaskIndex preemptor, std::span<const TaskIndex> candidates) const {
    if (forest_.empty()) return std::nullopt;
    return Walk(preemptor, candidates);
  }

  // The rules of one preemptor, walked over the candidates in their order.
  std::vector<TaskIndex> Walk(TaskIndex preemptor, std::span<const TaskIndex> candidates) const {
    const QuotaIndex q = pods_.quota(preemptor);
    const QuotaPod& pod = pods_.pod(preemptor);
    const OwnReservation own = Own(preemptor);
    QuotaVictimWalk walk(forest_, q, pod, AskedDimensions(pod.request, forest_.dimensions()), own);
    const std::uint32_t short_in_quota = q.is_none() ? 0 : ShortOf(forest_, q, pod, own);
    std::vector<TaskIndex> victims;
    for (const TaskIndex t : candidates) {
      const ResourceVector& room = state_.future_idle(state_.node(t));
      const std::uint32_t lacked = short_in_quota | pods_.ShortOn(snapshot_, preemptor, room);
      if (walk.Take({pods_.quota(t), &pods_.pod(t), pods_.counts_as_over(t), lacked}))
        victims.push_back(t);
    }
    return victims;
  }

  // A pod that was leaving already and counts no more.
  bool Dropped(TaskIndex t) const {
    const QuotaIndex q = pods_.quota(t);
    if (q.is_none() || snapshot_.task(t).status != TaskStatus::kReleasing) return false;
    return CountsNoMore(forest_.node(q).policy, *snapshot_.task(t).record, snapshot_.now);
  }

  Standing Before(TaskIndex t) const {
    const TaskFacts& facts = snapshot_.task(t);
    const bool assigned = HoldsAllocation(facts.status) || facts.status == TaskStatus::kUnknown;
    if (assigned) return facts.node.is_none() ? Standing::kOutside : Standing::kAssigned;
    if (facts.status == TaskStatus::kReleasing && !facts.node.is_none())
      return Dropped(t) ? Standing::kOutside : Standing::kReleasing;
    if (facts.status == TaskStatus::kPending && !facts.nominated.is_none() && !facts.gated)
      return Standing::kNominated;
    return Standing::kOutside;
  }

  // What goes up the whole tree goes once for each quota, where it can.
  void OpenTasks() {
    std::vector<QuotaPod> asked(forest_.size());
    std::vector<QuotaPod> running(forest_.size());
    const auto add = [](QuotaPod& sum, const QuotaPod& pod) { sum.request += pod.request; };
    for (std::size_t i = 0; i < snapshot_.tasks.size(); ++i) {
      const TaskIndex t(i);
      const QuotaIndex q = pods_.quota(t);
      if (q.is_none()) continue;
      if (!Dropped(t)) add(asked[q.value()], pods_.pod(t));
      const Standing before = Before(t);
      if (before == Standing::kAssigned && snapshot_.task(t).status == TaskStatus::kRunning &&
          pods_.pod(t).preemptible) {
        standing_[i] = before;
        add(running[q.value()], pods_.pod(t));
      } else {
        Stand(t, before);
      }
    }
    for (std::size_t q = 0; q < forest_.size(); ++q) {
      forest_.Ask(QuotaIndex(q), asked[q]);
      forest_.Charge(QuotaIndex(q), running[q], QuotaHold::kAssigned, 1, true);
    }
  }

  void Stand(TaskIndex t, Standing standing) {
    if (pods_.quota(t).is_none() || standing_[t.value()] == standing) return;
    Charge(t, -1);
    standing_[t.value()] = standing;
    Charge(t, 1);
  }

  void Charge(TaskIndex t, int sign) {
    const Standing standing = standing_[t.value()];
    if (standing == Standing::kOutside) return;
    const QuotaHold hold = standing == Standing::kAssigned    ? QuotaHold::kAssigned
                           : standing == Standing::kReleasing ? QuotaHold::kReleasing
                                                              : QuotaHold::kInflight;
    const bool running = snapshot_.task(t).status == TaskStatus::kRunning;
    forest_.Charge(pods_.quota(t), pods_.pod(t), hold, sign, running);
  }

  // --- groups ---

  ResourceVector StillNeeded(JobIndex job) const {
    return jobs_.StillNeeded(job, state_.job_allocated(job));
  }

  void OpenJob(JobIndex job, JobPhase phase) {
    if (!snapshot_.job(job).min_resources) return;
    const ResourceVector allocated = jobs_.Allocated(job, state_.job_allocated(job));
    const ResourceVector min = jobs_.Minimum(job);
    admitted_.AddElastic(jobs_.quota(job), (allocated - min).ClampedAtZero());
    if (phase == JobPhase::kInqueue) Enqueue(job, (min - allocated).ClampedAtZero());
  }

  void Enqueue(JobIndex job, const ResourceVector& amount) {
    if (!snapshot_.job(job).never_starts()) admitted_.Admit(jobs_.quota(job), amount);
  }

  void FindLessImportant() {
    by_priority_.emplace(forest_.size());
    for (std::size_t i = 0; i < snapshot_.tasks.size(); ++i) {
      const TaskIndex t(i);
      if (standing_[i] == Standing::kAssigned && !snapshot_.task(t).job.is_none())
        by_priority_->Add(pods_.quota(t), pods_.pod(t));
    }
  }

  // What action preempt could take for the job inside its quota.
  ResourceVector HeldByLessImportant(QuotaIndex q, JobIndex job) const {
    const bool is_default = forest_.node(q).role == QuotaRole::kDefault;
    if (!by_priority_ || (is_default && forest_.options().protect_default)) return {};
    const JobFacts& facts = snapshot_.job(job);
    return by_priority_->Below(
        q, facts.tasks.empty() ? facts.priority : pods_.pod(facts.tasks.front()).priority);
  }

  // A job without a quota stands with those that are not below theirs.
  QuotaShare ShareOf(JobIndex job) const {
    const QuotaIndex q = jobs_.quota(job);
    if (q.is_none()) return {};
    const ResourceVector& held = forest_.node(q).assigned;
    return ShareOfQuota(forest_, q, admitting_ ? held + admitted_.inqueue(q) : held);
  }

  const Snapshot& snapshot_;
  const SessionState& state_;
  QuotaForest forest_;
  QuotaPods pods_;
  QuotaJobs jobs_;
  DisruptionBudgets budgets_;
  std::optional<Revocation> revocation_;  // where action revoke runs
  std::vector<Standing> standing_;
  mutable std::vector<QuotaLack> lacks_;  // scratch
  AdmittedJobs admitted_;
  std::optional<WaitingJobs> waiting_;         // with argument olderFirst
  std::optional<HeldByPriority> by_priority_;  // where action preempt runs
  bool admitting_ = false;                     // jobs are compared by what was promised too
};

}  // namespace

PluginDescriptor ElasticQuotaPlugin() {
  return DescribePlugin<ElasticQuota, ReadElasticQuotaOptions>({
      .name = "elasticquota",
      .summary = "guarantees and lends by elastic quotas of three dialects",
      .arguments = ElasticQuotaArguments(),
      .reads_clock = true,
  });
}

}  // namespace batholith
