#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

// Every metric that the scheduler tells, in one table; docs/metrics.md has the same rows.
namespace batholith {

enum class Metric : std::uint8_t {
  // Volcano's
  kCycleLatency,
  kOpenLatency,
  kActionLatency,
  kStageLatency,
  kVictims,
  kPreemptionAttempts,
  kEvictionTransactions,
  kUnscheduledTasks,
  kUnscheduledJobs,
  kJobShare,
  kNamespaceShare,
  kNamespaceWeight,
  kNamespaceWeightedShare,
  kQueueAllocatedCpu,
  kQueueAllocatedMemory,
  kQueueAllocatedScalar,
  kQueueRequestCpu,
  kQueueRequestMemory,
  kQueueRequestScalar,
  kQueueDeservedCpu,
  kQueueDeservedMemory,
  kQueueDeservedScalar,
  kQueueCapacityCpu,
  kQueueCapacityMemory,
  kQueueCapacityScalar,
  kQueueInqueueCpu,
  kQueueInqueueMemory,
  kQueueInqueueScalar,
  kQueueShare,
  kQueueWeight,
  kQueueOverused,
  // Our own
  kDecisions,
  kRefusals,
  kSessionFailures,
  kStillSessions,
  kSnapshotsBuilt,
  kAssumedOrders,
  kAssumedOldest,
  kCyclePhase,
  kWatchState,
  kWatchLag,
  kUnreadable,
  kConfReloads,
  kConfLeftOut,
  kBuildInfo,
  kLeader,
  kEvictionRounds,
  kQuotaUsed,
  kQuotaRuntime,
  kQuotaMin,
  kSlackDesired,
  kSlackReserved,
  kSlackUnmet,
  kSlackPlaceholders,
  kSlackMoves,
  kSlackEvaluations,
  kSlackBufferReplicas,
  kNodeGroupNodes,
  kNodeGroupBackoff,
  kScaleUpNodes,
  kScaleUpFailed,
  kScaleDownNodes,
  kScaleDownUnneeded,
  kScaleDownBlocked,
};

enum class MetricType : std::uint8_t { kCounter, kGauge, kHistogram };
const char* MetricTypeName(MetricType type);  // as Prometheus writes it

// Upper bounds of a histogram, each the same factor above the one before it; none for the others.
struct BucketRange {
  double least = 0, most = 0;
  int count = 0;
};

struct MetricRow {
  static constexpr std::size_t kMostLabels = 4;
  Metric metric;
  std::string_view name;
  MetricType type;
  std::array<std::string_view, kMostLabels> label_names;  // the used ones first
  BucketRange buckets;
  std::string_view help;

  std::span<const std::string_view> labels() const;
};

// In the order of the enum.
std::span<const MetricRow> MetricTable();
const MetricRow& RowOf(Metric metric);

}  // namespace batholith
