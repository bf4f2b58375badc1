#include "cache/assumed_volumes.h"

#include <utility>

namespace batholith {

void AssumedVolumes::Assume(const std::string& pod_uid, const PersistentVolumeClaimRecord& claim,
                            PersistentVolumeRecord& volume) {
  if (volume.claim) return;  // the cluster has it
  const VolumeClaimRef ref{claim.meta.namespace_, claim.meta.name, claim.meta.uid};
  volume.claim = ref;
  volumes_.insert_or_assign(volume.meta.name, ref);
  pods_[pod_uid].volumes.push_back(volume.meta.name);
}

void AssumedVolumes::Assume(const std::string& pod_uid, const std::string& node,
                            PersistentVolumeClaimRecord& claim) {
  if (claim.selected_node() != nullptr) return;
  claim.meta.annotations.Edit()[std::string(kSelectedNode)] = node;
  claims_.insert_or_assign(claim.meta.Key(), node);
  pods_[pod_uid].claims.push_back(claim.meta.Key());
}

void AssumedVolumes::LayOver(PersistentVolumeRecord& volume) {
  const auto it = volumes_.find(volume.meta.name);
  if (it == volumes_.end()) return;
  if (volume.claim) {
    volumes_.erase(it);
  } else {
    volume.claim = it->second;
  }
}

// A claim that is bound has been told of; one that lost its node is told so by the bind's outcome.
void AssumedVolumes::LayOver(PersistentVolumeClaimRecord& claim) {
  const auto it = claims_.find(claim.meta.Key());
  if (it == claims_.end()) return;
  if (!claim.volume.empty() || claim.selected_node() != nullptr) {
    claims_.erase(it);
  } else {
    claim.meta.annotations.Edit()[std::string(kSelectedNode)] = it->second;
  }
}

AssumedVolumes::Held AssumedVolumes::Release(const std::string& pod_uid) {
  auto held = pods_.extract(pod_uid);
  return held.empty() ? Held{} : std::move(held.mapped());
}

void AssumedVolumes::TakeOff(PersistentVolumeRecord& volume) {
  if (volumes_.erase(volume.meta.name) != 0) volume.claim.reset();
}

void AssumedVolumes::TakeOff(PersistentVolumeClaimRecord& claim) {
  if (claims_.erase(claim.meta.Key()) != 0)
    claim.meta.annotations.Edit().erase(std::string(kSelectedNode));
}

}  // namespace batholith
