#include "api/reason.h"

namespace batholith {
namespace {

std::string DeviceReasonText(Reason reason, const std::string& detail) {
  switch (reason) {
    case Reason::kDevicesNotReady:
    case Reason::kDevicePool:
      return detail;
    case Reason::kClaimElsewhere:
      return "resourceclaim not available on the node";
    case Reason::kClaimFull:
      return "resourceclaim is used by as many pods as can be";
    case Reason::kNoDevices:
      return "cannot allocate all claims";
    case Reason::kDeviceSearch:
      return "cannot allocate all claims within the limit of steps of the search";
    default:
      return {};
  }
}

std::string VolumeReasonText(Reason reason, const std::string& detail) {
  switch (reason) {
    case Reason::kClaimsNotReady:
      return detail;
    case Reason::kVolumeNodeAffinity:
      return "node(s) didn't match PersistentVolume's node affinity";
    case Reason::kVolumeMissing:
      return "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)";
    case Reason::kNoVolumeToBind:
      return "node(s) didn't find available persistent volumes to bind";
    case Reason::kNotEnoughStorage:
      return "node(s) did not have enough free storage";
    case Reason::kVolumeZone:
      return "node(s) had no available volume zone";
    case Reason::kReadWriteOncePod:
      return "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode "
             "already in-use by another pod";
    case Reason::kDiskConflict:
      return "node(s) had no available disk";
    case Reason::kTooManyVolumes:
      return "node(s) exceed max volume count";
    default:
      return DeviceReasonText(reason, detail);
  }
}

std::string NodeReasonText(Reason reason, const std::string& detail) {
  switch (reason) {
    case Reason::kInsufficientResource:
      return "Insufficient " + detail;
    case Reason::kTooManyPods:
      return "node(s) pod number exceeded";
    case Reason::kNodeUnschedulable:
      return "node(s) were unschedulable";
    case Reason::kNodeNotReady:
      return "node(s) were not ready";
    case Reason::kNodeAffinity:
      return "node(s) didn't match Pod's node affinity/selector";
    case Reason::kTaint:
      return "had untolerated taint {" + detail + "}";
    case Reason::kHostPort:
      return "node(s) didn't have free ports for the requested pod ports";
    case Reason::kPodAffinity:
      return "node(s) didn't match pod affinity rules";
    case Reason::kPodAntiAffinity:
      return "node(s) didn't match pod anti-affinity rules";
    case Reason::kExistingAntiAffinity:
      return "node(s) didn't satisfy existing pods anti-affinity rules";
    case Reason::kTopologySpread:
      return "node(s) didn't match pod topology spread constraints";
    case Reason::kTopologySpreadNoLabel:
      return "node(s) didn't match pod topology spread constraints (missing required label)";
    case Reason::kNodeLabels:
      return "node(s) didn't have the requested labels";
    case Reason::kNodeGroupNoLabel:
      return "node(s) had no node group label";
    case Reason::kNodeGroupNoAffinity:
      return "queue has no affinity to the node group of node(s)";
    case Reason::kNodeGroupMismatch:
      return "node(s) were of a node group that the queue may not use";
    case Reason::kNodeGroupLimit:
      return "node(s) were of a node group in which the queue is at its limit";
    case Reason::kNodeGroupBadLimit:
      return "queue has a node group limit that cannot be read";
    case Reason::kRevocableZoneUnknown:
      return "revocable zone " + detail + " not support";
    case Reason::kRevocableZoneClosed:
      return "current time beyond revocable zone " + detail;
    case Reason::kRevocableTaskOnly:
      return "not allow to dispatch to revocable node";
    case Reason::kProportional:
      return "proportional of resource " + detail + " check failed";
    case Reason::kKeptAsSlack:
      return "node(s) keep their room as slack";
    case Reason::kNodeOffShard:
      return "node(s) were in another shard";
    case Reason::kNodeClosed:
      return "node(s) were closed: they, or pods on them, could not be read";
    default:
      return VolumeReasonText(reason, detail);
  }
}

// ": detail" where there is one.
std::string After(std::string text, const std::string& detail) {
  return detail.empty() ? text : text + ": " + detail;
}

}  // namespace

std::string ReasonText(Reason reason, const std::string& detail_text) {
  switch (reason) {
    case Reason::kQueueMissing:
      return After("queue does not exist", detail_text);
    case Reason::kQueueClosed:
      return After("queue is not open", detail_text);
    case Reason::kQueueOverLimit:
      return After("queue resource quota insufficient", detail_text);
    case Reason::kQueueOverused:
      return After("queue is overused", detail_text);
    case Reason::kNotEnoughTasks:
      return "Not enough valid tasks for gang-scheduling" +
             (detail_text.empty() ? std::string() : ", " + detail_text);
    case Reason::kNotEnoughTasksOfRole:
      return "Not enough valid pods of each task for gang-scheduling";
    case Reason::kNotEnoughSubGroups:
      return "Not enough valid subGroups of each task for gang-scheduling";
    case Reason::kQueueQuota:
      return After("queue resource quota insufficient", detail_text);
    case Reason::kClusterOverused:
      return After("resource in cluster is overused", detail_text);
    case Reason::kNamespaceQuota:
      return After("resource quota insufficient", detail_text);
    default:
      return NodeReasonText(reason, detail_text);
  }
}

}  // namespace batholith
