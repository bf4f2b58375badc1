#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "volumes/volume_facts.h"

namespace batholith {

// Which of kube-scheduler's volume filters count.
struct VolumeRules {
  bool restrictions = true;
  bool limits = true;
  bool binding = true;
  bool zones = true;

  bool any() const { return restrictions || limits || binding || zones; }
};

// Why a pod waits before any node is looked at.
enum class ClaimRefusal : std::uint8_t {
  kNone,
  kClaimMissing,
  kEphemeralClaimMissing,
  kNotOwned,  // an ephemeral claim that was not made for the pod
  kClaimLost,
  kClaimDeleting,
  kUnboundImmediate,
  kVolumeMissing,  // that the claim is bound to
  // Zones without binding only:
  kClaimWithoutClass,
  kClassMissing,
  kClaimWithoutVolume,
  kClaimUnread,  // it could not be read
};

// An unbound claim whose volume is chosen with the pod's node.
struct DelayedClaim {
  ClaimId id = kNoId;
  const ClaimShape* shape = nullptr;
  VolumeId kept = kNoId;          // a volume that is kept for it
  bool shared = false;            // other pods use it too: what one decides holds for all
  bool selected = false;          // a volume is being made for it
  std::int64_t selected_on = -1;  // on this node; -1: on one that is not there
};

// A volume's labels say from which zone or region it can be used.
struct VolumeZone {
  std::string key;
  std::vector<std::string> values;
};

// What a pod's volumes ask of a node, the same on all nodes.
struct PodNeeds {
  ClaimRefusal refusal = ClaimRefusal::kNone;
  std::string text;  // of the refusal

  std::vector<ClaimId> claims;        // that are there, each once
  std::vector<VolumeId> bound;        // of bound claims, up to one whose volume is not there
  bool bound_to_nothing = false;      // a bound claim's volume is not there
  std::vector<DelayedClaim> delayed;  // each once, in the pod's order
  std::vector<ClaimId> exclusive;     // ReadWriteOncePod
  std::vector<VolumeZone> zones;
  const std::vector<PodDisk>* disks = nullptr;  // nullptr: none
};

PodNeeds NeedsOf(VolumeFacts& facts, const VolumeRules& rules, const PodRecord& pod);

// The claim of a pod's volume; kNoId: it is not there.
ClaimId ClaimOf(const VolumeFacts& facts, const PodRecord& pod, const PodClaim& volume);

}  // namespace batholith
