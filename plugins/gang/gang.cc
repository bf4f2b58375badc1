#include "plugins/gang/gang.h"

#include <algorithm>
#include <map>
#include <optional>

#include "api/sort_unique.h"
#include "framework/describe_plugin.h"
#include "framework/eviction_units.h"
#include "framework/sub_group_counts.h"
#include "plugins/common/victim_guard.h"

namespace batholith {
namespace {

// What a task must be to count: towards a valid gang, one that has all its places, a ready one,
// for which places of pods that ask for nothing are taken for granted, or one that is ready once
// what it waits for has been released.
enum class Need : std::uint8_t { kValid, kWhole, kReady, kPipelined };

bool Counts(const TaskFacts& task, TaskStatus status, Need need) {
  if (CountsAsReady(status)) return true;
  switch (need) {
    case Need::kValid:
      return status == TaskStatus::kPipelined || status == TaskStatus::kPending;
    case Need::kWhole:
      return false;
    case Need::kReady:
      return status == TaskStatus::kPending && task.best_effort;
    case Need::kPipelined:
      return status == TaskStatus::kPipelined ||
             (status == TaskStatus::kPending && task.best_effort);
  }
  return false;
}

// Role minimums bind only when the minimum of the job covers them.
bool HasRoleMinimums(const JobFacts& job) {
  return job.role_min_total > 0 && job.role_min_total <= job.min_available;
}

bool HasSubGroupMinimums(const JobFacts& job) {
  return std::ranges::any_of(job.record->sub_group_policies,
                             [](const SubGroupPolicy& p) { return p.min_sub_groups > 0; });
}

// How many more tasks of one job may fall: in all, by role and by sub-group.
class Surplus {
 public:
  Surplus(const Snapshot& snapshot, const SessionState& state, JobIndex index)
      : job_(snapshot.job(index)),
        ready_(state.job(index).Ready()),
        roles_bind_(HasRoleMinimums(job_)),
        groups_bind_(HasSubGroupMinimums(job_)),
        formed_(job_.record->sub_group_policies) {
    if (!roles_bind_ && !groups_bind_) return;
    by_role_.resize(job_.roles.size());
    by_sub_job_.resize(job_.sub_jobs.size());
    for (const TaskIndex t : job_.tasks) {
      if (!CountsAsReady(state.status(t))) continue;
      ++by_role_[snapshot.task(t).role];
      ++by_sub_job_[snapshot.task(t).sub_job];
    }
    for (std::size_t s = 0; s < job_.sub_jobs.size(); ++s) {
      const SubJobFacts& sub = job_.sub_jobs[s];
      if (by_sub_job_[s] >= sub.min_available) formed_.Add(sub.policy);
    }
  }

  // True if the gang stands without the task too; then the task is gone.
  bool Take(const TaskFacts& task) {
    if (ready_ <= job_.min_available) return false;
    if (roles_bind_) {
      const std::int32_t min = job_.roles[task.role].min;
      if (min > 0 && by_role_[task.role] <= min) return false;
    }
    if (groups_bind_ && !TakeFromGroup(task)) return false;
    --ready_;
    if (roles_bind_) --by_role_[task.role];
    return true;
  }

 private:
  bool TakeFromGroup(const TaskFacts& task) {
    const SubJobFacts& sub = job_.sub_jobs[task.sub_job];
    std::int32_t& count = by_sub_job_[task.sub_job];
    if (sub.policy >= 0 && count == sub.min_available) {  // a ready group would be none any more
      if (!formed_.CanSpare(sub.policy)) return false;
      formed_.Remove(sub.policy);
    }
    --count;
    return true;
  }

  const JobFacts& job_;
  std::int32_t ready_;
  bool roles_bind_;
  bool groups_bind_;
  std::vector<std::int32_t> by_role_;
  std::vector<std::int32_t> by_sub_job_;
  SubGroupCounts formed_;
};

class Gang final : public Plugin,
                   public batholith::JobValid,
                   public batholith::JobOrder,
                   public batholith::JobReady,
                   public batholith::JobPipelined,
                   public batholith::JobStarving,
                   public VictimGuard {
 public:
  explicit Gang(const PluginContext& context)
      : snapshot_(context.snapshot), state_(context.state), begun_(snapshot_.jobs.size()) {
    for (std::size_t j = 0; j < begun_.size(); ++j) {
      const JobCounters& c = state_.job(JobIndex(j));
      begun_[j] =
          c.Of(TaskStatus::kBound) + c.Of(TaskStatus::kBinding) + c.Of(TaskStatus::kRunning) > 0;
    }
  }

  Unfit ValidateJob(JobIndex job) const override {
    if (!RolesMeet(job, Need::kValid)) return {Reason::kNotEnoughTasksOfRole, false, 0};
    if (!SubGroupsMeet(job, Need::kValid)) return {Reason::kNotEnoughSubGroups, false, 0};
    const JobCounters& c = state_.job(job);
    const std::int32_t valid = c.Ready() + c.Waiting() + c.Of(TaskStatus::kPending);
    if (valid < snapshot_.job(job).min_available) {
      return {Reason::kNotEnoughTasks, false, static_cast<std::uint32_t>(valid)};
    }
    return {};
  }

  // A job that still lacks its minimum goes first; of those one that has some of it on nodes, where
  // that is of no use without the rest: a scheduler died in the middle of it, or pods were lost.
  std::weak_ordering CompareJobs(JobIndex a, JobIndex b) const override {
    const bool ready = CountersReady(a);
    const std::weak_ordering order = ready <=> CountersReady(b);
    if (order != 0 || ready) return order;
    return begun_[b.value()] <=> begun_[a.value()];
  }

  bool IsJobReady(JobIndex job) const override {
    return CountersReady(job) && RolesMeet(job, Need::kReady) && SubGroupsMeet(job, Need::kReady);
  }

  bool IsJobWhole(JobIndex job) const override {
    return state_.job(job).Ready() >= snapshot_.job(job).min_available &&
           RolesMeet(job, Need::kWhole) && SubGroupsMeet(job, Need::kWhole);
  }

  Vote IsJobPipelined(JobIndex job) const override {
    const JobCounters& c = state_.job(job);
    const bool enough =
        c.Waiting() + c.Ready() + c.pending_best_effort >= snapshot_.job(job).min_available;
    return enough && RolesMeet(job, Need::kPipelined) && SubGroupsMeet(job, Need::kPipelined)
               ? Vote::kPermit
               : Vote::kReject;
  }

  bool IsJobStarving(JobIndex job) const override {
    const JobCounters& c = state_.job(job);
    return c.Waiting() + c.Ready() < snapshot_.job(job).min_available;
  }

 private:
  bool CountersReady(JobIndex job) const {
    const JobCounters& c = state_.job(job);
    return c.Ready() + c.pending_best_effort >= snapshot_.job(job).min_available;
  }

  bool RolesMeet(JobIndex index, Need need) const {
    const JobFacts& job = snapshot_.job(index);
    if (!HasRoleMinimums(job)) return true;
    std::vector<std::int32_t> counts(job.roles.size());
    for (const TaskIndex t : job.tasks) {
      const TaskFacts& task = snapshot_.task(t);
      if (Counts(task, state_.status(t), need)) ++counts[task.role];
    }
    for (std::size_t r = 0; r < job.roles.size(); ++r) {
      if (counts[r] < job.roles[r].min) return false;
    }
    return true;
  }

  bool SubGroupsMeet(JobIndex index, Need need) const {
    const JobFacts& job = snapshot_.job(index);
    if (!HasSubGroupMinimums(job)) return true;
    std::vector<std::int32_t> counts(job.sub_jobs.size());
    for (const TaskIndex t : job.tasks) {
      const TaskFacts& task = snapshot_.task(t);
      if (Counts(task, state_.status(t), need)) ++counts[task.sub_job];
    }
    SubGroupCounts formed(job.record->sub_group_policies);
    for (std::size_t s = 0; s < job.sub_jobs.size(); ++s) {
      const SubJobFacts& sub = job.sub_jobs[s];
      if (counts[s] >= sub.min_available) formed.Add(sub.policy);
    }
    return formed.Met();
  }

  // Candidates come in the order in which they should fall, so who is spared is certain.
  std::vector<TaskIndex> Spare(std::span<const TaskIndex> candidates) const override {
    std::vector<TaskIndex> whole;  // of units only what is asked for with all that fall with it
    if (!Units().none()) {
      whole = WithoutPartsOfUnits(Units(), state_, {candidates.begin(), candidates.end()});
      candidates = whole;
    }
    std::vector<JobIndex> jobs;
    for (const TaskIndex t : candidates) jobs.push_back(snapshot_.task(t).job);
    SortUnique(jobs);
    if (!jobs.empty() && jobs.back().is_none()) jobs.pop_back();
    std::vector<Surplus> surplus;
    surplus.reserve(jobs.size());
    for (const JobIndex job : jobs) surplus.emplace_back(snapshot_, state_, job);
    // Where there is no job there is no gang to break.
    const auto take = [&](std::vector<Surplus>& from, TaskIndex t) {
      const TaskFacts& task = snapshot_.task(t);
      const auto of = std::ranges::lower_bound(jobs, task.job) - jobs.begin();
      return task.job.is_none() || from[static_cast<std::size_t>(of)].Take(task);
    };
    std::map<const EvictionUnit*, bool> units;  // whether they may fall; looked up only
    std::vector<TaskIndex> victims;
    for (const TaskIndex t : candidates) {
      const EvictionUnit* unit = Units().Find(t);
      if (unit == nullptr) {
        if (take(surplus, t)) victims.push_back(t);
        continue;
      }
      const auto [it, added] = units.try_emplace(unit, false);
      if (added) it->second = MayFallWhole(*unit, surplus, take);
      if (it->second) victims.push_back(t);
    }
    return victims;
  }

  // Either nothing is left of their jobs, or minimums. REQUIRES: all of the unit are asked for.
  template <typename Take>
  bool MayFallWhole(const EvictionUnit& unit, std::vector<Surplus>& surplus, Take take) const {
    const std::vector<TaskIndex> standing = StandingOf(unit, state_);
    std::map<JobIndex, std::int32_t> taken;
    for (const TaskIndex t : standing) ++taken[snapshot_.task(t).job];
    const auto goes = [&](const auto& of) {
      const JobCounters& c = state_.job(of.first);
      return c.Ready() - c.Of(TaskStatus::kSucceeded) == of.second;
    };
    if (std::ranges::all_of(taken, goes)) return true;
    std::vector<Surplus> left = surplus;
    for (const TaskIndex t : standing) {
      if (!take(left, t)) return false;
    }
    surplus.swap(left);
    return true;
  }

  const EvictionUnits& Units() const { return units_ ? *units_ : units_.emplace(snapshot_); }

  VictimRole Role() const override { return VictimRole::kCountingGuard; }
  bool SparesMinimums() const override { return true; }
  bool SparesAll(JobIndex job) const override { return MostOf(job) == 0; }
  std::int32_t MostOf(JobIndex job) const override {
    if (Units().Concern(job)) return state_.job(job).Ready();
    return std::max(state_.job(job).Ready() - snapshot_.job(job).min_available, 0);
  }

  const Snapshot& snapshot_;
  const SessionState& state_;
  std::vector<bool> begun_;                     // by job: had pods on nodes when the session opened
  mutable std::optional<EvictionUnits> units_;  // once victims are asked for
};

}  // namespace

PluginDescriptor GangPlugin() {
  return DescribePlugin<Gang>({
      .name = "gang",
      .summary = "starts a job with its whole minimum or not at all",
  });
}

}  // namespace batholith
