#pragma once

#include <optional>
#include <string>
#include <vector>

namespace batholith {

// A claim for devices that a pod names in spec.resourceClaims.
struct PodDeviceClaim {
  std::string name;       // by which its containers know it
  std::string claim;      // resourceClaimName; empty: the claim is made from
  std::string template_;  // resourceClaimTemplateName
  // status.resourceClaimStatuses: the claim that was made; empty text: none was needed; absent: it
  // is not made yet.
  std::optional<std::string> made = std::nullopt;
  bool operator==(const PodDeviceClaim&) const = default;
};

// In the order of the pod.
using PodDeviceClaims = std::vector<PodDeviceClaim>;

}  // namespace batholith
