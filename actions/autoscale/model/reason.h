#pragma once

#include <cstdint>
#include <string_view>

namespace batholith {

// Why demand gets no node, the furthest from success first: where groups differ, the last counts.
enum class ScaleReason : std::uint8_t {
  kNone,
  kNoMatchingGroup,  // selector, taints or affinity exclude every group
  kInvalidBounds,
  kNoTemplate,
  kTooLarge,
  kPaused,
  kBackoff,
  kGroupAtMax,
  kMaxNodes,          // maxNodesTotal
  kMaxNodesPerCycle,  // the next decisions go on
  kGangDoesNotFit,
  kQueueLimited,      // a queue or a quota holds it back: never asks for nodes
  kClusterUnhealthy,  // too many nodes are not ready: nothing is decided
};
std::string_view ScaleReasonName(ScaleReason reason);

// Why a node stays.
enum class KeepReason : std::uint8_t {
  kNone,
  kScaleDownDisabled,
  kUtilization,
  kNeededByDemand,
  kMinSize,
  kRecentlyUnremovable,
  kStarting,  // new, and not ready yet
  kTakesMovedPods,
  kCandidateLimit,
  kControllerNotFound,
  kNotReplicated,
  kWaitsForCompletion,
  kUnmovableKubeSystemPod,
  kNotSafeToEvictAnnotation,
  kLocalStorageRequested,
  kNotEnoughPdb,
  kGangWouldBreak,
  kNoPlaceToMovePods,
  kNoPlaceToMoveSlack,
};
std::string_view KeepReasonName(KeepReason reason);

}  // namespace batholith
