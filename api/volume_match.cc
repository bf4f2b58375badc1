#include "api/volume_match.h"

#include "api/label_match.h"

namespace batholith {

std::string_view ClassNameOf(const PersistentVolumeClaimRecord& claim) {
  return claim.storage_class ? std::string_view(*claim.storage_class) : std::string_view();
}

bool IsKeptFor(const PersistentVolumeRecord& volume, const PersistentVolumeClaimRecord& claim) {
  return volume.claim && volume.claim->name == claim.meta.name &&
         volume.claim->namespace_ == claim.meta.namespace_ &&
         (volume.claim->uid.empty() || volume.claim->uid == claim.meta.uid);
}

bool IsGoodFor(const PersistentVolumeRecord& volume, const PersistentVolumeClaimRecord& claim) {
  return volume.meta.flaw.empty() && volume.mode == claim.mode &&
         volume.attributes_class == claim.attributes_class && !volume.meta.deleting;
}

bool HasModes(const PersistentVolumeRecord& volume, const PersistentVolumeClaimRecord& claim) {
  return (claim.access_modes & ~volume.access_modes) == 0;
}

bool MayBeGivenTo(const PersistentVolumeRecord& volume, const PersistentVolumeClaimRecord& claim) {
  return IsGoodFor(volume, claim) && HasModes(volume, claim) &&
         (!claim.selector || MatchesLabels(claim.selector->requirements, volume.meta.labels));
}

}  // namespace batholith
