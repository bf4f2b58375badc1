#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "volumes/pod_needs.h"

namespace batholith {

// What becomes of an unbound claim on the node of its pod.
struct VolumeDecision {
  ClaimId claim = kNoId;
  VolumeId volume = kNoId;  // that it gets; kNoId: one is provisioned
  PoolId pool = kNoId;      // that its room is taken from; kNoId: nobody counts it
};

// What a session has taken so far: volumes that were chosen, room for those that are provisioned,
// claims that only one pod may use. Taken once for each claim, given back when the last pod that
// uses it has gone. One thread writes, several may read between.
class VolumeLedger {
 public:
  explicit VolumeLedger(const VolumeFacts& facts);

  struct Decided {
    VolumeDecision what;
    std::uint32_t node = 0;
    std::int32_t users = 0;
  };

  bool IsTaken(VolumeId volume) const { return taken_[volume]; }
  std::int64_t UsedOf(PoolId pool) const { return used_[pool]; }
  // What an earlier pod of the session decided of the claim; nullptr: nothing.
  const Decided* DecisionOf(ClaimId claim) const;

  // REQUIRES: a claim that was decided before is decided in the same way.
  void Take(std::span<const VolumeDecision> decisions, std::uint32_t node);
  void GiveBack(std::span<const VolumeDecision> decisions);
  // Grows with each Take and GiveBack.
  std::uint64_t version() const { return version_; }

  // Pods that stand on a node and use a claim that only one may use.
  void AddUser(ClaimId claim) { ++users_[claim].all; }
  void RemoveUser(ClaimId claim) { --users_[claim].all; }
  void LeaveUser(ClaimId claim) { ++users_[claim].leaving; }
  void StayUser(ClaimId claim) { --users_[claim].leaving; }
  // `with_leaving`: who is leaving uses it still.
  bool IsUsed(ClaimId claim, bool with_leaving) const;

 private:
  void Mark(VolumeId volume, bool taken);

  struct Users {
    std::int32_t all = 0;
    std::int32_t leaving = 0;
  };

  const VolumeFacts& facts_;
  std::vector<bool> taken_;         // by VolumeId
  std::vector<std::int64_t> used_;  // by PoolId, bytes
  std::unordered_map<ClaimId, Decided> decided_;
  std::unordered_map<ClaimId, Users> users_;
  std::uint64_t version_ = 0;
};

}  // namespace batholith
