#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>

#include "api/cluster_objects.h"
#include "api/effect.h"

namespace batholith {

// What becomes of claims for devices, as Kubernetes' controllers would have it at once. Lives while
// `objects` gets and loses no record otherwise.
class DeviceController {
 public:
  explicit DeviceController(ClusterObjects& objects) : objects_(objects) {}

  // The claims of a bound pod are reserved for it and have the devices that were chosen. Cost:
  // O(its claims); the first one O(claims) too.
  void OnBound(const Bind& bind, const PodRecord& pod);
  // Pods get the claims that are made from templates: POD-NAME. Cost: O(pods + claims).
  void Reconcile(TimeNs now);
  // The pod is gone, and with it the claims that were made for it. Claims that nobody uses any more
  // give their devices back. Cost: O(claims).
  void OnGone(const PodRecord& pod);

 private:
  void Index();
  ResourceClaimRecord* Find(const std::string& key);
  void Make(PodRecord& pod, PodDeviceClaim& named, TimeNs now);

  ClusterObjects& objects_;
  bool indexed_ = false;
  std::unordered_map<std::string, std::size_t> claims_;
  std::unordered_map<std::string, std::size_t> templates_;
};

// Whether Reconcile would change something. Cost: O(pods), where some have claims O(templates) too.
bool HasDeviceWork(const ClusterObjects& objects);

// Of a pod that is made again: its claims are not made yet.
void ForgetMadeClaims(PodRecord& pod);

}  // namespace batholith
