#include "actions/autoscale/model/reason.h"

namespace batholith {

std::string_view ScaleReasonName(ScaleReason reason) {
  switch (reason) {
    case ScaleReason::kNone:
      return "None";
    case ScaleReason::kNoMatchingGroup:
      return "NoMatchingGroup";
    case ScaleReason::kInvalidBounds:
      return "InvalidBounds";
    case ScaleReason::kNoTemplate:
      return "NoTemplate";
    case ScaleReason::kTooLarge:
      return "TooLarge";
    case ScaleReason::kPaused:
      return "Paused";
    case ScaleReason::kBackoff:
      return "Backoff";
    case ScaleReason::kGroupAtMax:
      return "GroupAtMax";
    case ScaleReason::kMaxNodes:
      return "MaxNodes";
    case ScaleReason::kMaxNodesPerCycle:
      return "MaxNodesPerCycle";
    case ScaleReason::kGangDoesNotFit:
      return "GangDoesNotFit";
    case ScaleReason::kQueueLimited:
      return "QueueLimited";
    case ScaleReason::kClusterUnhealthy:
      return "ClusterUnhealthy";
  }
  return "";
}

std::string_view KeepReasonName(KeepReason reason) {
  switch (reason) {
    case KeepReason::kNone:
      return "None";
    case KeepReason::kScaleDownDisabled:
      return "ScaleDownDisabled";
    case KeepReason::kUtilization:
      return "Utilization";
    case KeepReason::kNeededByDemand:
      return "NeededByDemand";
    case KeepReason::kMinSize:
      return "MinSize";
    case KeepReason::kRecentlyUnremovable:
      return "RecentlyUnremovable";
    case KeepReason::kStarting:
      return "Starting";
    case KeepReason::kTakesMovedPods:
      return "TakesMovedPods";
    case KeepReason::kCandidateLimit:
      return "CandidateLimit";
    case KeepReason::kControllerNotFound:
      return "ControllerNotFound";
    case KeepReason::kNotReplicated:
      return "NotReplicated";
    case KeepReason::kWaitsForCompletion:
      return "WaitsForCompletion";
    case KeepReason::kUnmovableKubeSystemPod:
      return "UnmovableKubeSystemPod";
    case KeepReason::kNotSafeToEvictAnnotation:
      return "NotSafeToEvictAnnotation";
    case KeepReason::kLocalStorageRequested:
      return "LocalStorageRequested";
    case KeepReason::kNotEnoughPdb:
      return "NotEnoughPdb";
    case KeepReason::kGangWouldBreak:
      return "GangWouldBreak";
    case KeepReason::kNoPlaceToMovePods:
      return "NoPlaceToMovePods";
    case KeepReason::kNoPlaceToMoveSlack:
      return "NoPlaceToMoveSlack";
  }
  return "";
}

}  // namespace batholith
