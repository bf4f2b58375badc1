#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "api/cluster_objects.h"
#include "devices/device_ledger.h"

namespace batholith {

using DeviceClaimId = std::uint32_t;  // its place in ClusterObjects::device_claims
inline constexpr DeviceClaimId kNoClaim = UINT32_MAX;

// The claims of a cluster in one session: which have their devices, who uses them, and so which
// devices are free, now and once those who are leaving have left. One thread changes it, several
// may ask between.
class DeviceClaimState {
 public:
  DeviceClaimState(const std::vector<ResourceClaimRecord>& claims, const DevicePools& pools);

  const ResourceClaimRecord& record(DeviceClaimId id) const { return claims_[id]; }
  // From the claim's status, or as this session decided; nullptr: it has no devices.
  const DeviceAllocation* AllocationOf(DeviceClaimId id) const;
  bool IsDecided(DeviceClaimId id) const { return states_[id].decided.has_value(); }
  // As many use it as may, without this pod.
  bool IsFull(DeviceClaimId id, const PodRecord& pod) const;
  const DeviceLedger& ledger(bool with_leaving) const { return with_leaving ? now_ : soon_; }

  // A pod that uses it stands somewhere.
  void AddUser(DeviceClaimId id, const PodRecord& pod, bool leaving);
  // The last user of what this session decided gives it back.
  void RemoveUser(DeviceClaimId id, const PodRecord& pod, bool leaving);
  void Leave(DeviceClaimId id);
  void Stay(DeviceClaimId id);
  // REQUIRES: it has no devices yet.
  void Decide(DeviceClaimId id, DeviceAllocation allocation, std::vector<GivenDevice> given);
  // Grows with each claim that is decided or given back.
  std::uint64_t version() const { return version_; }

 private:
  struct State {
    std::optional<DeviceAllocation> decided;
    std::vector<GivenDevice> given;
    std::int64_t users = 0;    // that stand somewhere
    std::int64_t leaving = 0;  // of them
    std::int64_t others = 0;   // for whom it is reserved, and who stand nowhere
    bool is_soon = false;      // its devices are taken in soon_
  };

  bool IsReservedFor(DeviceClaimId id, const PodRecord& pod) const;
  void Settle(State& state, bool allocated);

  const std::vector<ResourceClaimRecord>& claims_;
  std::vector<State> states_;
  DeviceLedger now_;
  DeviceLedger soon_;  // once those who are leaving have left
  std::uint64_t version_ = 0;
};

}  // namespace batholith
