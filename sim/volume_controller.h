#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>

#include "api/cluster_objects.h"
#include "api/effect.h"

namespace batholith {

// What becomes of the claims of bound pods, as volume controller and provisioner would have it at
// once: a chosen volume is the claim's; where one is to be provisioned it is made, bound, usable
// from the topologies of its class that the node is in, and its room is taken from what the driver
// told. Lives while `objects` gets and loses no other record.
class VolumeController {
 public:
  explicit VolumeController(ClusterObjects& objects) : objects_(objects) {}

  // Cost: O(capacities) for each choice; the first one O(claims + volumes + nodes) too.
  void OnBound(const Bind& bind);

 private:
  using Places = std::unordered_map<std::string, std::size_t>;

  void Index();
  PersistentVolumeRecord Provision(const PersistentVolumeClaimRecord& claim,
                                   const NodeRecord& node);

  ClusterObjects& objects_;
  bool indexed_ = false;
  Places claims_;
  Places volumes_;
  Places nodes_;
};

}  // namespace batholith
