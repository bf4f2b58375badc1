#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "devices/device_claim_state.h"

namespace batholith {

// The claims of a pod, or why it waits before any node is looked at.
struct PodClaims {
  std::vector<DeviceClaimId> claims;  // each once, in the pod's order
  std::string refusal;                // empty: all are there
};

// Finds claims by their names. Refers to them.
class DeviceClaimNames {
 public:
  explicit DeviceClaimNames(const std::vector<ResourceClaimRecord>& claims);

  // `waits`: it has no place yet, so that what is wrong with its claims matters.
  PodClaims Of(const PodRecord& pod, bool waits) const;

 private:
  std::string RefusalOf(const PodRecord& pod, const PodDeviceClaim& named,
                        const ResourceClaimRecord& claim) const;

  const std::vector<ResourceClaimRecord>& claims_;
  std::unordered_map<std::string, DeviceClaimId> by_key_;
};

}  // namespace batholith
