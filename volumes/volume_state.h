#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "api/effect.h"
#include "api/reason.h"
#include "volumes/attach_limits.h"
#include "volumes/claim_binding.h"
#include "volumes/volume_ledger.h"
#include "volumes/volume_score.h"

namespace batholith {

// A pod of the cluster, as far as volumes go.
struct VolumePod {
  const PodRecord* record = nullptr;  // nullptr: it has no part in it
  std::int64_t node = -1;             // on which it stands; -1: none
  bool leaving = false;               // it stands there, and is on its way out
};

// The volumes of all pods in one session: what they ask of nodes, and what they have taken there.
// Pods are numbered by their place in the list, nodes by theirs. Pods whose volumes ask the same
// of every node are of one class; what is found out about a node for one holds for all. Built where
// a pod that waits has volumes. One thread changes it, several may ask between.
class VolumeState {
 public:
  using ClassId = std::uint32_t;

  // Cost: O(claims + volumes + pods with volumes).
  VolumeState(const ClusterObjects& objects, std::vector<const NodeRecord*> nodes,
              VolumeRules rules, std::vector<VolumePod> pods);

  const VolumeFacts& facts() const { return facts_; }
  // kNoId: it has no volumes.
  ClassId ClassOf(std::uint32_t pod) const { return class_of_[pod]; }
  // Why it waits before any node is looked at.
  const PodNeeds& NeedsOfClass(ClassId c) const { return classes_[c].needs; }
  // What a node has for it changes by what happens on other nodes.
  bool LooksAround(ClassId c) const { return classes_[c].around; }
  // What CheckAround says is the same of every node.
  bool IsUniform(ClassId c) const { return classes_[c].uniform; }
  // A node that has room says always the same of it.
  bool IsFixed(ClassId c) const { return classes_[c].fixed; }
  // Pods that stand on a node can keep it from it.
  bool MindsPods(ClassId c) const;

  // The first refusal, in the order of kube-scheduler's filters; kNone: it fits. `with_leaving`: as
  // long as those who are leaving are there. REQUIRES: no refusal before nodes.
  Reason Check(ClassId c, std::uint32_t node, bool with_leaving) const;
  // The same in two parts: what concerns that node alone, and what others have taken.
  Reason CheckAlone(ClassId c, std::uint32_t node, bool with_leaving) const;
  Reason CheckAround(ClassId c, std::uint32_t node, bool with_leaving) const;

  // Some of its claims may be scored: they are unbound, and volumes or counted room is theirs.
  bool HasScore(ClassId c) const {
    return !classes_[c].plain && !classes_[c].needs.delayed.empty();
  }
  // ScoreVolumes of what its claims would get on the node. `chosen` is scratch.
  std::int64_t Score(ClassId c, std::uint32_t node, const VolumeShape& shape,
                     std::vector<VolumeDecision>& chosen) const;

  // Each filter's refusals of a node.
  std::vector<Reason> AskRestrictions(ClassId c, std::uint32_t node, bool with_leaving) const;
  std::vector<Reason> AskLimits(ClassId c, std::uint32_t node, bool with_leaving) const;
  std::vector<Reason> AskBinding(ClassId c, std::uint32_t node) const;
  std::vector<Reason> AskZones(ClassId c, std::uint32_t node) const;

  // The pod gets a place and takes what it needs there, or gives it back.
  void Place(std::uint32_t pod, std::uint32_t node);
  void Remove(std::uint32_t pod, std::uint32_t node);
  // A pod that stands there is evicted, or stays after all.
  void Leave(std::uint32_t pod, std::uint32_t node);
  void Stay(std::uint32_t pod, std::uint32_t node);
  // What is to be written for the claims of a pod that has a place, in the pod's order.
  std::vector<VolumeChoice> ChoicesOf(std::uint32_t pod) const;

 private:
  struct Class {
    PodNeeds needs;
    std::vector<LimitedVolume> limited;
    bool around = false;
    bool fixed = false;
    bool uniform = false;  // what others have taken concerns every node alike
    bool plain = false;    // its unbound claims are all provisioned, and nobody counts the room
  };
  struct Disks {
    std::uint32_t pod = 0;
    bool leaving = false;
  };

  // Of the pod, each once, in its order.
  std::span<const ClaimId> ClaimsOf(std::uint32_t pod) const {
    return std::span(claims_).subspan(first_claim_[pod], first_claim_[pod + 1] - first_claim_[pod]);
  }
  std::vector<LimitedVolume> LimitedOf(std::uint32_t pod);
  void FindClaims();
  Class MakeClass(PodNeeds needs);
  std::string SignatureOf(const Class& c) const;
  void AddStanding(std::uint32_t pod, std::uint32_t node);
  void ChangeLeaving(std::uint32_t pod, std::uint32_t node, bool leaves);
  std::vector<ClaimId> ExclusiveOf(std::uint32_t pod) const;
  bool DiskConflict(const PodNeeds& needs, std::uint32_t node, bool with_leaving) const;
  bool InUse(const PodNeeds& needs, bool with_leaving) const;
  Reason Binding(const Class& c, std::uint32_t node) const;

  const VolumeRules rules_;
  std::vector<VolumePod> pods_;
  VolumeFacts facts_;
  VolumeLedger ledger_;
  AttachLimits limits_;
  std::vector<std::uint8_t> uses_;          // by ClaimId: how many pods use it, 2 for more
  std::vector<ClaimId> claims_;             // of all pods, one after the other
  std::vector<std::uint32_t> first_claim_;  // by pod, and one more: where its claims begin
  bool any_exclusive_ = false;     // some claim that only one pod may use is used by several
  std::vector<ClassId> class_of_;  // by pod
  std::vector<Class> classes_;
  std::unordered_map<std::uint32_t, std::vector<Disks>> disks_;             // by node
  std::unordered_map<std::uint32_t, std::vector<VolumeDecision>> decided_;  // by pod
};

}  // namespace batholith
