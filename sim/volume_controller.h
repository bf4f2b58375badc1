#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>

#include "api/cluster_objects.h"
#include "api/effect.h"

namespace batholith {

// What becomes of claims, as Kubernetes' controllers and the provisioners would have it at once.
// Lives while `objects` gets and loses no record otherwise.
class VolumeController {
 public:
  explicit VolumeController(ClusterObjects& objects) : objects_(objects) {}

  // The claims of a bound pod: a chosen volume is the claim's; where one is to be provisioned it is
  // made, bound, usable from where its driver has made it, and its room is taken from what the
  // driver told. Cost: O(capacities) for each choice; the first one O(claims + volumes + nodes)
  // too.
  void OnBound(const Bind& bind);
  // What nobody decides: ephemeral volumes of pods get their claims, claims without a class the
  // default one, volumes become available, and claims that wait for no pod get a volume, or one is
  // made. Cost: O(pods + claims + volumes), and what ClaimMatcher says.
  void Reconcile(TimeNs now);
  // The pod is gone, and with it the claims of its ephemeral volumes. A volume that was made for
  // them goes too, and its room is free again; another one is released.
  void OnGone(const PodRecord& pod);

 private:
  using Places = std::unordered_map<std::string, std::size_t>;

  void Index();
  void MakeEphemeral(const PodRecord& pod, TimeNs now);
  void Provision(PersistentVolumeClaimRecord& claim, const StorageClassRecord* storage,
                 const NodeRecord* node);
  const StorageClassRecord* ClassOf(const PersistentVolumeClaimRecord& claim) const;
  void Release(const std::string& volume);

  ClusterObjects& objects_;
  bool indexed_ = false;
  Places claims_;
  Places volumes_;
  Places nodes_;
};

// Whether Reconcile would change something. Cost: as Reconcile.
bool HasVolumeWork(const ClusterObjects& objects);

}  // namespace batholith
