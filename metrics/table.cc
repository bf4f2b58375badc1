#include "metrics/table.h"

#include <algorithm>
#include <cstddef>

namespace batholith {
namespace {

using enum MetricType;

// Volcano's, so that its dashboards fit.
constexpr BucketRange kCycleMs{1, 5000, 20};
constexpr BucketRange kActionMs{1, 2000, 20};
constexpr BucketRange kStageMs{0.1, 500, 20};
constexpr BucketRange kPhaseSeconds{0.0001, 10, 20};
constexpr BucketRange kNone{};

constexpr MetricRow kTable[] = {
    {Metric::kCycleLatency,
     "volcano_e2e_scheduling_latency_milliseconds",
     kHistogram,
     {},
     kCycleMs,
     "One cycle from the snapshot to the orders, in milliseconds."},
    {Metric::kOpenLatency,
     "volcano_open_session_duration_milliseconds",
     kHistogram,
     {},
     kCycleMs,
     "Opening a session on its snapshot, in milliseconds."},
    {Metric::kActionLatency,
     "volcano_action_scheduling_latency_milliseconds",
     kHistogram,
     {"action"},
     kActionMs,
     "One run of an action, in milliseconds."},
    {Metric::kStageLatency,
     "volcano_scheduling_stage_duration_milliseconds",
     kHistogram,
     {"stage"},
     kStageMs,
     "Bind: from sending a bind to the API server's answer, in milliseconds."},
    {Metric::kVictims,
     "volcano_pod_preemption_victims",
     kGauge,
     {},
     kNone,
     "Pods that the last session evicted to make room for a job."},
    {Metric::kPreemptionAttempts,
     "volcano_total_preemption_attempts",
     kCounter,
     {},
     kNone,
     "Pods that got room reserved by an action that evicted for their job."},
    {Metric::kEvictionTransactions,
     "volcano_eviction_transactions_total",
     kCounter,
     {"action"},
     kNone,
     "Jobs that an action evicted for, session by session; for no job counts as one."},
    {Metric::kUnscheduledTasks,
     "volcano_unschedule_task_count",
     kGauge,
     {"job_id"},
     kNone,
     "Pods that an unschedulable job lacks to its gang minimum; job_id is namespace/name."},
    {Metric::kUnscheduledJobs,
     "volcano_unschedule_job_count",
     kGauge,
     {},
     kNone,
     "Jobs that are unschedulable."},
    {Metric::kNamespaceShare,
     "volcano_namespace_share",
     kGauge,
     {"queue_name", "namespace_name"},
     kNone,
     "Dominant share of the cluster that a namespace holds through a queue."},
    {Metric::kNamespaceWeight,
     "volcano_namespace_weight",
     kGauge,
     {"queue_name", "namespace_name"},
     kNone,
     "Weight of a namespace."},
    {Metric::kNamespaceWeightedShare,
     "volcano_namespace_weighted_share",
     kGauge,
     {"queue_name", "namespace_name"},
     kNone,
     "Share of a namespace divided by its weight."},
    {Metric::kQueueAllocatedCpu,
     "volcano_queue_allocated_milli_cpu",
     kGauge,
     {"queue_name"},
     kNone,
     "CPU that a queue's pods hold, in thousandths of a core."},
    {Metric::kQueueAllocatedMemory,
     "volcano_queue_allocated_memory_bytes",
     kGauge,
     {"queue_name"},
     kNone,
     "Memory that a queue's pods hold, in bytes."},
    {Metric::kQueueAllocatedScalar,
     "volcano_queue_allocated_scalar_resources",
     kGauge,
     {"queue_name", "resource"},
     kNone,
     "Any other resource that a queue's pods hold, in thousandths; pods in pieces."},
    {Metric::kQueueRequestCpu,
     "volcano_queue_request_milli_cpu",
     kGauge,
     {"queue_name"},
     kNone,
     "CPU that a queue's pods hold or wait for, in thousandths of a core."},
    {Metric::kQueueRequestMemory,
     "volcano_queue_request_memory_bytes",
     kGauge,
     {"queue_name"},
     kNone,
     "Memory that a queue's pods hold or wait for, in bytes."},
    {Metric::kQueueRequestScalar,
     "volcano_queue_request_scalar_resources",
     kGauge,
     {"queue_name", "resource"},
     kNone,
     "Any other resource that a queue's pods hold or wait for, in thousandths; pods in pieces."},
    {Metric::kQueueDeservedCpu,
     "volcano_queue_deserved_milli_cpu",
     kGauge,
     {"queue_name"},
     kNone,
     "CPU that a queue deserves, in thousandths of a core."},
    {Metric::kQueueDeservedMemory,
     "volcano_queue_deserved_memory_bytes",
     kGauge,
     {"queue_name"},
     kNone,
     "Memory that a queue deserves, in bytes."},
    {Metric::kQueueDeservedScalar,
     "volcano_queue_deserved_scalar_resources",
     kGauge,
     {"queue_name", "resource"},
     kNone,
     "Any other resource that a queue deserves, in thousandths; pods in pieces."},
    {Metric::kQueueShare,
     "volcano_queue_share",
     kGauge,
     {"queue_name"},
     kNone,
     "What a queue holds by what it deserves, of the resource where that is most."},
    {Metric::kQueueWeight,
     "volcano_queue_weight",
     kGauge,
     {"queue_name"},
     kNone,
     "Weight of a queue."},
    {Metric::kDecisions,
     "batholith_decisions_total",
     kCounter,
     {"kind", "action"},
     kNone,
     "What sessions decided: bind, evict, pipeline (room kept for one session)."},
    {Metric::kRefusals,
     "batholith_refusals_total",
     kCounter,
     {},
     kNone,
     "Orders that the API server refused."},
    {Metric::kAssumedOrders,
     "batholith_assumed_orders",
     kGauge,
     {},
     kNone,
     "Binds and evictions that were sent and that no event has answered yet."},
    {Metric::kAssumedOldest,
     "batholith_assumed_oldest_seconds",
     kGauge,
     {},
     kNone,
     "Age of the oldest order that no event has answered yet."},
    {Metric::kCyclePhase,
     "batholith_cycle_phase_seconds",
     kHistogram,
     {"phase"},
     kPhaseSeconds,
     "Parts of a cycle: snapshot, open, actions (all together), close."},
    {Metric::kWatchState,
     "batholith_watch_state",
     kGauge,
     {"kind", "state"},
     kNone,
     "1 for the state that the watch of a kind is in."},
    {Metric::kWatchLag,
     "batholith_watch_lag_seconds",
     kGauge,
     {"kind"},
     kNone,
     "How long the watch of a kind has heard nothing."},
    {Metric::kConfReloads,
     "batholith_conf_reloads_total",
     kCounter,
     {"result"},
     kNone,
     "Changes of the scheduler conf: ok, or refused (the last good one stays in force)."},
    {Metric::kLeader,
     "batholith_leader",
     kGauge,
     {},
     kNone,
     "1 where this replica leads, 0 where it waits."},
    {Metric::kQuotaUsed,
     "batholith_quota_used",
     kGauge,
     {"quota", "kind", "group", "resource"},
     kNone,
     "What the pods of an elastic quota use, in cores, bytes or pieces."},
    {Metric::kQuotaRuntime,
     "batholith_quota_runtime",
     kGauge,
     {"quota", "kind", "group", "resource"},
     kNone,
     "What an elastic quota of Koordinator may use now, in cores, bytes or pieces."},
    {Metric::kQuotaMin,
     "batholith_quota_min",
     kGauge,
     {"quota", "kind", "group", "resource"},
     kNone,
     "What an elastic quota is guaranteed, in cores, bytes or pieces."},
};

constexpr bool InOrderOfTheEnum() {
  for (std::size_t i = 0; i < std::size(kTable); ++i) {
    if (static_cast<std::size_t>(kTable[i].metric) != i) return false;
  }
  return std::size(kTable) == static_cast<std::size_t>(Metric::kQuotaMin) + 1;
}
static_assert(InOrderOfTheEnum());

}  // namespace

const char* MetricTypeName(MetricType type) {
  switch (type) {
    case kCounter:
      return "counter";
    case kGauge:
      return "gauge";
    case kHistogram:
      return "histogram";
  }
  return "";
}

std::span<const std::string_view> MetricRow::labels() const {
  const auto end = std::ranges::find(label_names, std::string_view());
  return {label_names.begin(), end};
}

std::span<const MetricRow> MetricTable() { return kTable; }

const MetricRow& RowOf(Metric metric) { return kTable[static_cast<std::size_t>(metric)]; }

}  // namespace batholith
