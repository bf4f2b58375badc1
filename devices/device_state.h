#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "api/effect.h"
#include "api/reason.h"
#include "devices/claim_plan.h"
#include "devices/device_claim_state.h"
#include "devices/device_search.h"
#include "devices/pod_claims.h"

namespace batholith {

// A pod of the cluster, as far as devices go.
struct DevicePod {
  const PodRecord* record = nullptr;  // nullptr: it has no part in it
  std::int64_t node = -1;             // on which it stands; -1: none
  bool leaving = false;               // it stands there, and is on its way out
};

// The claims of all pods for devices in one session: what nodes have for them, and what they have
// taken. Pods are numbered by their place in the list, nodes by theirs. Pods whose claims find the
// same on every node are of one class. Built where a pod that waits has such claims. One thread
// changes it, several may ask between.
class DeviceState {
 public:
  using ClassId = std::uint32_t;

  // Cost: O(slices + devices + claims + pods with claims), and compiling what selects devices.
  DeviceState(const ClusterObjects& objects, std::vector<const NodeRecord*> nodes,
              std::vector<DevicePod> pods);

  // kNoDevice: it has no claims that nodes are asked about.
  ClassId ClassOf(std::uint32_t pod) const { return class_of_[pod]; }
  // What a node has for it changes by what happens on other nodes.
  bool LooksAround(ClassId c) const { return classes_[c].around; }
  // Devices have still to be found, so that pods that have some can keep it from a node.
  bool MindsPods(ClassId c) const { return classes_[c].searches; }

  // Why the node is refused; kNone: it fits. `with_leaving`: as long as those who are leaving are
  // there. Cost: that of FindDevices.
  Unfit Check(ClassId c, std::uint32_t node, bool with_leaving) const;
  // The text for the detail of such a refusal.
  std::string TextOf(const Unfit& why) const;

  // The pod gets a place and takes what it needs there, or gives it back.
  void Place(std::uint32_t pod, std::uint32_t node);
  void Remove(std::uint32_t pod);
  // A pod that stands there is evicted, or stays after all.
  void Leave(std::uint32_t pod);
  void Stay(std::uint32_t pod);
  // What is to be written onto the claims of a pod that has a place, in the pod's order.
  std::vector<DeviceChoice> ChoicesOf(std::uint32_t pod) const;

 private:
  // A claim of a class: one that is used by others too, or has its devices; else any of its spec.
  struct Part {
    DeviceClaimId claim = kNoClaim;
    const ClaimPlan* plan = nullptr;
  };
  struct Class {
    std::vector<Part> parts;
    const PodRecord* example = nullptr;
    std::string refusal;
    bool around = false;
    bool searches = false;
  };
  struct Found {
    std::vector<DeviceClaimId> claims;
    std::vector<const ClaimPlan*> plans;
    SearchResult result;
  };

  void FindClaims();
  ClassId MakeClass(std::uint32_t pod);
  std::string RefusalOfPlan(const ClaimPlan& plan, const std::string& claim) const;
  const ClaimPlan* PlanFor(DeviceClaimId claim);
  std::span<const DeviceClaimId> ClaimsOf(std::uint32_t pod) const;
  bool IsOwn(DeviceClaimId claim) const;
  Unfit UnfitOf(ClassId c, const SearchResult& result) const;
  bool IsUsableFrom(DeviceClaimId claim, std::uint32_t node) const;
  void Take(std::uint32_t pod, std::uint32_t node);

  const std::vector<const NodeRecord*> nodes_;
  const std::vector<DevicePod> pods_;
  DevicePools pools_;
  DeviceMatcher matcher_;
  DeviceClasses device_classes_;
  DeviceClaimNames names_;
  DeviceClaimState claims_;
  std::unordered_map<std::string, std::unique_ptr<ClaimPlan>> plans_;  // by signature
  std::vector<const ClaimPlan*> plan_of_;                              // by claim; nullptr: unknown
  std::vector<std::uint32_t> pods_of_;  // by claim: how many pods name it
  std::unordered_map<std::uint32_t, PodClaims> of_pod_;
  std::vector<bool> leaving_;      // by pod
  std::vector<ClassId> class_of_;  // by pod
  std::unordered_map<std::string, ClassId> known_;
  std::vector<Class> classes_;
};

}  // namespace batholith
