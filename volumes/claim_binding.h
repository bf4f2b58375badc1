#pragma once

#include <vector>

#include "volumes/volume_ledger.h"

namespace batholith {

// What stands against a pod's claims on a node.
struct BindingVerdict {
  bool affinity = false;   // a bound volume cannot be used there
  bool no_volume = false;  // an unbound claim finds none, and none can be provisioned
  bool no_room = false;    // one could be provisioned, but for its size
  bool missing = false;    // a bound volume is not there
  bool ok() const { return !affinity && !no_volume && !no_room && !missing; }
};

// Whether the pod's claims can have their volumes on the node, beside what the session has taken.
// `chosen`, if there is one, comes empty and hears what becomes of the unbound claims. The smallest
// claim chooses first and takes the smallest volume, as kube-scheduler has it; where that leaves
// one without, an assignment is found if one exists. Volumes are provisioned only for claims that
// no volume is left for. Cost: O(claims) where the first choice does, else O(claims³).
BindingVerdict BindClaims(const VolumeFacts& facts, const VolumeLedger& ledger,
                          const PodNeeds& needs, std::uint32_t node,
                          std::vector<VolumeDecision>* chosen);

}  // namespace batholith
