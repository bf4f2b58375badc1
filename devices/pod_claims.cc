#include "devices/pod_claims.h"

#include <algorithm>

namespace batholith {

DeviceClaimNames::DeviceClaimNames(const std::vector<ResourceClaimRecord>& claims)
    : claims_(claims) {
  by_key_.reserve(claims.size());
  for (DeviceClaimId id = 0; id < claims.size(); ++id) by_key_.emplace(claims[id].meta.Key(), id);
}

std::string DeviceClaimNames::RefusalOf(const PodRecord& pod, const PodDeviceClaim& named,
                                        const ResourceClaimRecord& claim) const {
  const std::string& name = claim.meta.name;
  if (!claim.meta.flaw.empty())
    return "resourceclaim \"" + name + "\" could not be read: " + claim.meta.flaw;
  if (named.claim.empty() && claim.meta.owner->uid != pod.meta.uid) {
    return "ResourceClaim " + claim.meta.Key() + " was not created for pod " + pod.meta.Key() +
           " (pod is not owner)";
  }
  if (claim.meta.deleting) return "resourceclaim \"" + name + "\" is being deleted";
  return {};
}

PodClaims DeviceClaimNames::Of(const PodRecord& pod, bool waits) const {
  PodClaims out;
  for (const PodDeviceClaim& named : *pod.device_claims) {
    if (named.claim.empty() && named.made && named.made->empty()) continue;  // none is needed
    if (named.claim.empty() && !named.made) {
      if (out.refusal.empty())
        out.refusal = "waiting for the claim of " + named.name + " to be made from template \"" +
                      named.template_ + "\"";
      continue;
    }
    const std::string& name = named.claim.empty() ? *named.made : named.claim;
    const auto it = by_key_.find(pod.meta.namespace_ + "/" + name);
    if (it == by_key_.end()) {
      if (out.refusal.empty()) out.refusal = "resourceclaim \"" + name + "\" not found";
      continue;
    }
    if (waits && out.refusal.empty()) out.refusal = RefusalOf(pod, named, claims_[it->second]);
    if (std::ranges::find(out.claims, it->second) == out.claims.end())
      out.claims.push_back(it->second);
  }
  return out;
}

}  // namespace batholith
