#include "cmd/metrics/metrics.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include "api/task_status.h"
#include "cmd/metrics/amounts.h"
#include "cmd/metrics/series.h"
#include "cmd/metrics/slack_series.h"

namespace batholith {
namespace {

constexpr double kMilli = 1000;

void CountDecisions(Series& series, const CycleResult& result) {
  std::map<std::pair<std::string, std::string>, double> decisions;  // by kind and action
  for (const Bind& bind : result.binds) ++decisions[{"bind", bind.action}];
  for (const Evict& evict : result.evictions) ++decisions[{"evict", evict.action}];
  for (const Pipelined& kept : result.pipelined) ++decisions[{"pipeline", kept.action}];
  for (const auto& [key, count] : decisions)
    series.Add(Metric::kDecisions, {key.first, key.second}, count);
}

void CountEvictions(Series& series, const CycleResult& result) {
  std::set<std::pair<std::string, std::string>> transactions;  // action, job that it evicted for
  double victims = 0;
  for (const Evict& evict : result.evictions) {
    transactions.emplace(evict.action, evict.for_job);
    if (!evict.for_job.empty()) ++victims;
  }
  for (const auto& [action, job] : transactions)
    series.Add(Metric::kEvictionTransactions, {action}, 1);
  const auto attempts = std::ranges::count_if(result.pipelined, [&](const Pipelined& kept) {
    return transactions.contains({kept.action, kept.job});
  });
  series.Add(Metric::kPreemptionAttempts, {}, static_cast<double>(attempts));
  series.Set(Metric::kVictims, {}, victims);
}

bool Unschedulable(const JobStatus& job) {
  return std::ranges::any_of(job.conditions, [](const JobCondition& condition) {
    return condition.type == "Unschedulable" && condition.status == "True";
  });
}

void TellJobs(Series& series, const std::vector<JobStatus>& jobs) {
  double unscheduled = 0;
  for (const JobStatus& job : jobs) {
    const std::size_t slash = job.key.find('/');
    series.Set(Metric::kJobShare, {job.key.substr(0, slash), job.key.substr(slash + 1)}, job.share);
    if (!Unschedulable(job)) continue;
    ++unscheduled;
    std::int32_t ready = 0;
    for (const TaskStatus status :
         {TaskStatus::kBound, TaskStatus::kRunning, TaskStatus::kSucceeded}) {
      const auto it = job.tasks.find(TaskStatusName(status));
      if (it != job.tasks.end()) ready += it->second;
    }
    series.Set(Metric::kUnscheduledTasks, {job.key}, std::max(job.min_member - ready, 0));
  }
  series.Set(Metric::kUnscheduledJobs, {}, unscheduled);
}

void TellQueues(Series& series, const std::vector<QueueStatus>& queues) {
  for (const QueueStatus& queue : queues) {
    const struct {
      Metric cpu, memory, scalar;
      const ResourceList& list;
    } amounts[] = {
        {Metric::kQueueAllocatedCpu, Metric::kQueueAllocatedMemory, Metric::kQueueAllocatedScalar,
         queue.allocated},
        {Metric::kQueueRequestCpu, Metric::kQueueRequestMemory, Metric::kQueueRequestScalar,
         queue.request},
        {Metric::kQueueDeservedCpu, Metric::kQueueDeservedMemory, Metric::kQueueDeservedScalar,
         queue.deserved},
        {Metric::kQueueInqueueCpu, Metric::kQueueInqueueMemory, Metric::kQueueInqueueScalar,
         queue.inqueue},
    };
    // A resource that one of the lists names is told of all, so that it falls to 0 and does not
    // vanish.
    std::set<std::string> scalars;
    for (const auto& amount : amounts) {
      for (const auto& [resource, value] : amount.list) {
        if (resource != "cpu" && resource != "memory") scalars.insert(resource);
      }
    }
    for (const auto& amount : amounts) {
      series.Set(amount.cpu, {queue.name}, AmountOf(amount.list, "cpu"));
      series.Set(amount.memory, {queue.name}, AmountOf(amount.list, "memory"));
      for (const std::string& resource : scalars)
        series.Set(amount.scalar, {queue.name, resource}, AmountOf(amount.list, resource));
    }
    // What it does not name has no limit, and no figure says that.
    for (const auto& [resource, value] : queue.capability) {
      const auto amount = static_cast<double>(value);
      if (resource == "cpu") {
        series.Set(Metric::kQueueCapacityCpu, {queue.name}, amount);
      } else if (resource == "memory") {
        series.Set(Metric::kQueueCapacityMemory, {queue.name}, amount);
      } else {
        series.Set(Metric::kQueueCapacityScalar, {queue.name, resource}, amount);
      }
    }
    series.Set(Metric::kQueueOverused, {queue.name}, queue.overused ? 1 : 0);
    series.Set(Metric::kQueueShare, {queue.name}, queue.share);
    series.Set(Metric::kQueueWeight, {queue.name}, queue.weight);
  }
}

void TellNamespaces(Series& series, const std::vector<NamespaceStatus>& namespaces) {
  for (const NamespaceStatus& one : namespaces) {
    const auto weight = static_cast<double>(one.weight);
    series.Set(Metric::kNamespaceShare, {one.queue, one.name}, one.share);
    series.Set(Metric::kNamespaceWeight, {one.queue, one.name}, weight);
    series.Set(Metric::kNamespaceWeightedShare, {one.queue, one.name}, one.share / weight);
  }
}

void TellQuotas(Series& series, const std::vector<QuotaStatus>& quotas) {
  for (const QuotaStatus& quota : quotas) {
    const auto tell = [&](Metric metric, const ResourceList& list) {
      for (const auto& [resource, amount] : list) {
        series.Set(metric, {quota.name, quota.kind, quota.group, resource},
                   WholeAmountOf(list, resource));
      }
    };
    tell(Metric::kQuotaUsed, quota.used);
    tell(Metric::kQuotaRuntime, quota.runtime);
    tell(Metric::kQuotaMin, quota.min);
  }
}

// The metrics whose series belong to objects, or to an action that the conf may have no more.
constexpr Metric kOfObjects[] = {
    Metric::kUnscheduledTasks,     Metric::kNamespaceShare,
    Metric::kNamespaceWeight,      Metric::kNamespaceWeightedShare,
    Metric::kQueueAllocatedCpu,    Metric::kQueueAllocatedMemory,
    Metric::kQueueAllocatedScalar, Metric::kQueueRequestCpu,
    Metric::kQueueRequestMemory,   Metric::kQueueRequestScalar,
    Metric::kQueueDeservedCpu,     Metric::kQueueDeservedMemory,
    Metric::kQueueDeservedScalar,  Metric::kQueueShare,
    Metric::kQueueCapacityCpu,     Metric::kQueueCapacityMemory,
    Metric::kQueueCapacityScalar,  Metric::kQueueInqueueCpu,
    Metric::kQueueInqueueMemory,   Metric::kQueueInqueueScalar,
    Metric::kQueueOverused,        Metric::kJobShare,
    Metric::kQueueWeight,          Metric::kQuotaUsed,
    Metric::kQuotaRuntime,         Metric::kQuotaMin,
    Metric::kSlackDesired,         Metric::kSlackReserved,
    Metric::kSlackUnmet,           Metric::kSlackPlaceholders,
    Metric::kSlackMoves,           Metric::kSlackEvaluations,
    Metric::kSlackBufferReplicas,  Metric::kNodeGroupNodes,
    Metric::kNodeGroupBackoff,     Metric::kScaleUpNodes,
    Metric::kScaleUpFailed,        Metric::kScaleDownNodes,
    Metric::kScaleDownUnneeded,    Metric::kScaleDownBlocked,
};

}  // namespace

struct Metrics::State {
  std::mutex mutex;  // of those who write
  Series series;
  std::map<std::string, std::string, std::less<>> watch_states;  // kind → state
};

Metrics::Metrics() : state_(std::make_unique<State>()) {
  // A rate needs its 0.
  state_->series.Add(Metric::kRefusals, {}, 0);
  state_->series.Add(Metric::kSessionFailures, {}, 0);
  state_->series.Add(Metric::kStillSessions, {}, 0);
  state_->series.Add(Metric::kSnapshotsBuilt, {}, 0);
  state_->series.Add(Metric::kPreemptionAttempts, {}, 0);
  for (const char* result : {"ok", "refused"})
    state_->series.Add(Metric::kConfReloads, {result}, 0);
  state_->series.Set(Metric::kLeader, {}, 0);
}

Metrics::~Metrics() = default;

void Metrics::ObserveSession(const SessionFigures& figures) {
  const std::scoped_lock lock(state_->mutex);
  Series& series = state_->series;
  double actions = 0;
  for (const auto& [action, seconds] : figures.actions_s) {
    actions += seconds;
    series.Observe(Metric::kActionLatency, {action}, seconds * kMilli);
  }
  series.Observe(Metric::kCycleLatency, {}, figures.total_s * kMilli);
  series.Observe(Metric::kOpenLatency, {}, figures.open_s * kMilli);
  series.Observe(Metric::kCyclePhase, {"snapshot"}, figures.snapshot_s);
  series.Observe(Metric::kCyclePhase, {"open"}, figures.open_s);
  series.Observe(Metric::kCyclePhase, {"actions"}, actions);
  series.Observe(Metric::kCyclePhase, {"close"}, figures.close_s);
  if (figures.built_anew) series.Add(Metric::kSnapshotsBuilt, {}, 1);
  series.Set(Metric::kAssumedOrders, {}, static_cast<double>(figures.unanswered));
  series.Set(Metric::kAssumedOldest, {}, figures.oldest_unanswered_s);
  if (figures.report == nullptr) return;
  CountDecisions(series, *figures.report);
  CountEvictions(series, *figures.report);
  TellJobs(series, figures.report->jobs);
  TellQueues(series, figures.report->queues);
  TellNamespaces(series, figures.report->namespaces);
  TellQuotas(series, figures.report->quotas);
  TellSlack(series, figures.report->slack);
  TellNodeGroups(series, figures.report->autoscale);
  for (const Metric metric : kOfObjects) series.DropUnset(metric);
}

void Metrics::ObserveBindLatency(double seconds) {
  const std::scoped_lock lock(state_->mutex);
  state_->series.Observe(Metric::kStageLatency, {"Bind"}, seconds * kMilli);
}

void Metrics::CountRefusals(std::uint64_t total) {
  const std::scoped_lock lock(state_->mutex);
  state_->series.RaiseTo(Metric::kRefusals, {}, static_cast<double>(total));
}

void Metrics::CountScaleUpFailure(const std::string& group, std::string_view reason) {
  const bool known = std::ranges::find(kScaleUpFailures, reason) != kScaleUpFailures.end();
  const std::scoped_lock lock(state_->mutex);
  state_->series.Add(Metric::kScaleUpFailed, {group, std::string(known ? reason : "refused")}, 1);
}

void Metrics::SetWatch(std::string_view kind, std::string_view state, double lag_s) {
  const std::scoped_lock lock(state_->mutex);
  std::string& known = state_->watch_states[std::string(kind)];
  if (known != state) state_->series.Drop(Metric::kWatchState, {std::string(kind), known});
  known = state;
  state_->series.Set(Metric::kWatchState, {std::string(kind), known}, 1);
  state_->series.Set(Metric::kWatchLag, {std::string(kind)}, lag_s);
}

void Metrics::SetUnreadable(std::string_view kind, std::size_t objects) {
  const std::scoped_lock lock(state_->mutex);
  state_->series.Set(Metric::kUnreadable, {std::string(kind)}, static_cast<double>(objects));
}

void Metrics::CountConfReload(bool ok) {
  const std::scoped_lock lock(state_->mutex);
  state_->series.Add(Metric::kConfReloads, {ok ? "ok" : "refused"}, 1);
}

void Metrics::SetLeftOut(std::span<const std::pair<std::string, std::string>> parts) {
  const std::scoped_lock lock(state_->mutex);
  for (const auto& [kind, name] : parts) state_->series.Set(Metric::kConfLeftOut, {kind, name}, 1);
  state_->series.DropUnset(Metric::kConfLeftOut);
}

void Metrics::SetBuild(const std::string& version, const std::string& commit,
                       const std::string& build_type, const std::string& compiler) {
  const std::scoped_lock lock(state_->mutex);
  state_->series.Set(Metric::kBuildInfo, {version, commit, build_type, compiler}, 1);
}

void Metrics::SetEvictionRounds(std::span<const EvictionRound> rounds) {
  constexpr std::size_t kMost = 50;  // of which each has names of its own
  std::vector<EvictionRound> told(rounds.begin(), rounds.end());
  std::ranges::stable_sort(told, std::ranges::greater(),
                           [](const EvictionRound& r) { return r.rounds + r.back; });
  if (told.size() > kMost) told.resize(kMost);
  const std::scoped_lock lock(state_->mutex);
  for (const EvictionRound& r : told) {
    state_->series.Set(Metric::kEvictionRounds, {r.group, r.for_job, r.action}, r.rounds + r.back);
  }
  state_->series.DropUnset(Metric::kEvictionRounds);
}

void Metrics::CountSessionFailure() {
  const std::scoped_lock lock(state_->mutex);
  state_->series.Add(Metric::kSessionFailures, {}, 1);
}

void Metrics::CountStillSession() {
  const std::scoped_lock lock(state_->mutex);
  state_->series.Add(Metric::kStillSessions, {}, 1);
}

void Metrics::SetLeader(bool leads) {
  const std::scoped_lock lock(state_->mutex);
  state_->series.Set(Metric::kLeader, {}, leads ? 1 : 0);
}

std::string Metrics::Text() const { return state_->series.Text(); }

}  // namespace batholith
