#pragma once

#include <map>
#include <string>
#include <vector>

#include "api/effect.h"
#include "api/volumes.h"

namespace batholith {

// What binds that were sent say of volumes and claims, for as long as the cluster does not say it
// itself: nobody else takes the volume, and the claim stays with its node. It is laid over the
// records, and taken back where the bind comes to nothing.
class AssumedVolumes {
 public:
  // A choice of the bind of the pod with this uid, laid over its volume or its claim.
  void Assume(const std::string& pod_uid, const PersistentVolumeClaimRecord& claim,
              PersistentVolumeRecord& volume);
  void Assume(const std::string& pod_uid, const std::string& node,
              PersistentVolumeClaimRecord& claim);

  // A record that the cluster has told, as a session should see it.
  void LayOver(PersistentVolumeRecord& volume);
  void LayOver(PersistentVolumeClaimRecord& claim);

  // Keys of what the pod's bind still holds: it is done, or was not. Forgets the pod; what was not
  // done is to be given to TakeOff.
  struct Held {
    std::vector<std::string> volumes, claims;
  };
  Held Release(const std::string& pod_uid);
  void TakeOff(PersistentVolumeRecord& volume);
  void TakeOff(PersistentVolumeClaimRecord& claim);

 private:
  std::map<std::string, VolumeClaimRef, std::less<>> volumes_;  // by name
  std::map<std::string, std::string, std::less<>> claims_;      // by key: the node
  std::map<std::string, Held, std::less<>> pods_;               // by uid
};

}  // namespace batholith
