#include "sim/run/run_sessions.h"

#include <algorithm>
#include <set>
#include <utility>

#include "framework/eviction_watch.h"
#include "quota/validate.h"
#include "scheduler/quota_hints.h"
#include "scheduler/victim_conflicts.h"

namespace batholith {
namespace {

void EnsureQueue(ClusterObjects& objects, const std::string& name, TimeNs now) {
  for (const QueueRecord& queue : objects.queues) {
    if (queue.meta.name == name) return;
  }
  QueueRecord queue;
  queue.meta.name = name;
  queue.meta.uid = name;
  queue.meta.creation = now - 3'600'000'000'000;
  objects.queues.push_back(std::move(queue));
}

void ApplyEvents(std::vector<RunEvent>& events, int cycle, TimeNs now, SimCluster& cluster,
                 std::shared_ptr<const Pipeline>& pipeline, std::vector<std::string>& errors) {
  for (RunEvent& event : events) {
    if (event.cycle != cycle) continue;
    const std::string where = "event of session " + std::to_string(cycle) + ": ";
    for (const std::string& reference : event.remove) {
      const Result<void> removed = cluster.Remove(reference);
      if (!removed) errors.push_back(where + removed.error().message);
    }
    for (std::string& problem : cluster.Update(std::move(event.update), now)) {
      errors.push_back(where + std::move(problem));
    }
    for (std::string& problem : cluster.Add(std::move(event.add), now)) {
      errors.push_back(where + std::move(problem));
    }
    if (event.pipeline != nullptr) pipeline = event.pipeline;
  }
}

void Record(CycleResult result, RunOutcome& outcome) {
  const int cycle = outcome.cycles;
  for (const Bind& bind : result.binds) outcome.binds.push_back({cycle, bind});
  for (const Evict& evict : result.evictions) outcome.evictions.push_back({cycle, evict});
  for (const PlacementTrace& trace : result.traces) outcome.traces.try_emplace(trace.pod, trace);
  for (const QuotaStatus& quota : result.quotas) {
    for (const std::string& pod : quota.pods) outcome.quota_of[pod] = quota.name;
  }
  outcome.last = std::move(result);
}

// Each problem once, however long it lasts. Whoever stored the quotas may have had no webhook.
void WarnOfQuotas(const ClusterObjects& objects, const Pipeline& pipeline,
                  std::set<std::string>& told, std::vector<std::string>& warnings) {
  for (const QuotaProblem& problem : CheckQuotas(objects)) {
    if (told.insert(problem.Text()).second) warnings.push_back(problem.Text());
  }
  for (std::string& hint : QuotaHints(objects, pipeline)) {
    if (told.insert(hint).second) warnings.push_back(std::move(hint));
  }
}

void WarnOfResult(const ClusterObjects& objects, const Pipeline& pipeline,
                  const CycleResult& result, std::set<std::string>& told,
                  std::vector<std::string>& warnings) {
  for (const std::string& notice : result.notices) {
    if (told.insert(notice).second) warnings.push_back(notice);
  }
  for (std::string& conflict : VictimConflicts(objects, pipeline, result)) {
    if (told.insert(conflict).second) warnings.push_back(std::move(conflict));
  }
}

}  // namespace

RunOutcome RunSessions(ClusterObjects objects, std::shared_ptr<const Pipeline> pipeline,
                       RunOptions options) {
  EnsureQueue(objects, "default", options.now);
  EnsureQueue(objects, options.snapshot.default_queue, options.now);
  RunOutcome outcome;
  TimeNs now = options.now;
  SimCluster cluster(std::move(objects), options.victims, now);
  const bool figures_only = !options.until_idle && options.cycles == 0;
  const int limit = options.until_idle ? kMaxIdleCycles : std::max(options.cycles, 1);
  std::set<std::string> told;
  EvictionWatch watch;
  int last_event = 0;
  for (const RunEvent& event : options.events) last_event = std::max(last_event, event.cycle);
  for (int cycle = 1; cycle <= limit; ++cycle) {
    if (cycle > 1) {
      now += options.period_ns;
      cluster.Advance(now);
    }
    ApplyEvents(options.events, cycle, now, cluster, pipeline, outcome.errors);
    if (cycle == 1 || std::ranges::count(options.events, cycle, &RunEvent::cycle) > 0) {
      WarnOfQuotas(*cluster.Objects(), *pipeline, told, outcome.warnings);
    }
    options.snapshot.now = now;
    options.snapshot.node_resources = pipeline->needs.node_resources;
    options.snapshot.ignored = pipeline->ignored;
    options.snapshot.hold_device_claims = false;
    auto snapshot = BuildSnapshot(cluster.Objects(), options.snapshot);
    Pipeline without_actions;
    if (figures_only) {
      without_actions = *pipeline;
      without_actions.actions.clear();
    }
    options.cycle.slack_before = &outcome.last.slack;
    options.cycle.autoscale_before = &outcome.last.autoscale;
    CycleResult result =
        RunCycle(*snapshot, figures_only ? without_actions : *pipeline, options.cycle);
    WarnOfResult(*cluster.Objects(), *pipeline, result, told, outcome.warnings);
    if (options.on_session) options.on_session(cycle, *snapshot, result);
    watch.Observe(result);
    if (figures_only) {
      Record(std::move(result), outcome);
      break;
    }
    outcome.cycles = cycle;
    snapshot.reset();  // the objects that it looks into need not be copied to be changed
    cluster.Apply(result, now);
    const bool idle = !result.had_effect && !cluster.IsRestless() && cycle >= last_event;
    Record(std::move(result), outcome);
    if (options.until_idle && idle) break;
    if (options.until_idle && cycle == limit) {
      outcome.warnings.push_back("not idle after " + std::to_string(limit) +
                                 " sessions: the cluster did not come to rest");
    }
  }
  outcome.going_round = watch.GoingRound();
  outcome.objects = cluster.Objects();
  return outcome;
}

}  // namespace batholith
