#pragma once

#include <cstdint>
#include <string>

namespace batholith {

// The closed list of reasons why something did not happen. Texts are made from it when a job is
// reported.
enum class Reason : std::uint8_t {
  kNone,
  kInsufficientResource,  // detail: resource index → "Insufficient cpu"
  kTooManyPods,           // "node(s) pod number exceeded"
  kNodeUnschedulable,     // "node(s) were unschedulable"
  kNodeNotReady,          // "node(s) were not ready"
  kNodeAffinity,          // "node(s) didn't match Pod's node affinity/selector"
  kTaint,            // detail: index into the plugin's taint texts → "had untolerated taint {k: v}"
  kHostPort,         // "node(s) didn't have free ports for the requested pod ports"
  kPodAffinity,      // "node(s) didn't match pod affinity rules"
  kPodAntiAffinity,  // "node(s) didn't match pod anti-affinity rules"
  kExistingAntiAffinity,   // "node(s) didn't satisfy existing pods anti-affinity rules"
  kTopologySpread,         // "node(s) didn't match pod topology spread constraints"
  kTopologySpreadNoLabel,  // "… (missing required label)"
  kNodeLabels,             // "node(s) didn't have the requested labels"
  kNodeGroupNoLabel,
  kNodeGroupNoAffinity,
  kNodeGroupMismatch,
  kNodeGroupLimit,
  kNodeGroupBadLimit,
  kRevocableZoneUnknown,
  kRevocableZoneClosed,
  kRevocableTaskOnly,
  kProportional,        // detail: resource index → "proportional of resource R check failed"
  kKeptAsSlack,         // "node(s) keep their room as slack"
  kClaimsNotReady,      // detail: index into the plugin's texts → the text; the same on every node
  kVolumeNodeAffinity,  // "node(s) didn't match PersistentVolume's node affinity"
  kVolumeMissing,     // "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"
  kNoVolumeToBind,    // "node(s) didn't find available persistent volumes to bind"
  kNotEnoughStorage,  // "node(s) did not have enough free storage"
  kVolumeZone,        // "node(s) had no available volume zone"
  kReadWriteOncePod,  // "… ReadWriteOncePod access mode already in-use by another pod"
  kDiskConflict,      // "node(s) had no available disk"
  kTooManyVolumes,    // "node(s) exceed max volume count"
  kDevicesNotReady,   // as kClaimsNotReady, of claims for devices
  kClaimElsewhere,    // "resourceclaim not available on the node"
  kClaimFull,         // "resourceclaim is used by as many pods as can be"
  kNoDevices,         // "cannot allocate all claims"
  kDevicePool,    // detail: index into the plugin's texts → what is wrong with a pool of the node
  kDeviceSearch,  // the search for devices came to its limit of steps
  kNodeOffShard,  // "node(s) were in another shard"
  kNodeClosed,    // "node(s) were closed: they, or pods on them, could not be read"
  // Not of a node:
  kQueueMissing,
  kQueueClosed,
  kQueueOverLimit,       // detail: resource index
  kQueueOverCapability,  // detail: resource index
  kQueueNotLeaf,         // jobs go to queues without children
  kQueueParentMissing,
  kQueueOnCycle,   // of parents
  kBehindInQueue,  // detail: index of the job that waits before it
  kQueueOverused,
  kQuotaOverLimit,  // of an elastic quota
  kNotEnoughTasks,
  kNotEnoughTasksOfRole,
  kNotEnoughSubGroups,
  kQueueQuota,
  kClusterOverused,
  kNamespaceQuota,
};

// Why a task and a node (or a job and a queue) do not go together. 8 bytes, no text.
struct Unfit {
  Reason reason = Reason::kNone;
  bool resolvable = true;    // evicting somebody could help (Volcano: Unschedulable, not
                             // UnschedulableAndUnresolvable)
  std::uint32_t detail = 0;  // see Reason
  bool ok() const { return reason == Reason::kNone; }
  bool operator==(const Unfit&) const = default;
};

// The text for a reason; `detail_text` stands for what `detail` means (a resource name, a taint).
std::string ReasonText(Reason reason, const std::string& detail_text);

}  // namespace batholith
