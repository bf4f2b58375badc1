#include "devices/device_claim_state.h"

#include <algorithm>
#include <utility>

namespace batholith {

DeviceClaimState::DeviceClaimState(const std::vector<ResourceClaimRecord>& claims,
                                   const DevicePools& pools)
    : claims_(claims), states_(claims.size()), now_(pools), soon_(pools) {
  for (DeviceClaimId id = 0; id < claims_.size(); ++id) {
    State& state = states_[id];
    state.others = static_cast<std::int64_t>(claims_[id].reserved_for.size());
    if (!claims_[id].allocation) continue;
    state.given = GivenBy(*claims_[id].allocation, pools);
    for (const GivenDevice& given : state.given) now_.Take(given);
    Settle(state, true);
  }
}

const DeviceAllocation* DeviceClaimState::AllocationOf(DeviceClaimId id) const {
  if (claims_[id].allocation) return &*claims_[id].allocation;
  return states_[id].decided ? &*states_[id].decided : nullptr;
}

bool DeviceClaimState::IsReservedFor(DeviceClaimId id, const PodRecord& pod) const {
  return std::ranges::any_of(claims_[id].reserved_for, [&](const ClaimUser& user) {
    return user.resource == "pods" && user.name == pod.meta.name && user.uid == pod.meta.uid;
  });
}

bool DeviceClaimState::IsFull(DeviceClaimId id, const PodRecord& pod) const {
  const State& state = states_[id];
  return state.users + state.others >= static_cast<std::int64_t>(kMaxClaimUsers) &&
         !IsReservedFor(id, pod);
}

// Devices are free soon where all who use the claim are leaving.
void DeviceClaimState::Settle(State& state, bool allocated) {
  const bool ends = state.users > 0 && state.users == state.leaving && state.others == 0;
  const bool wanted = allocated && !ends;
  if (wanted == std::exchange(state.is_soon, wanted)) return;
  for (const GivenDevice& given : state.given) {
    if (wanted) {
      soon_.Take(given);
    } else {
      soon_.GiveBack(given);
    }
  }
}

void DeviceClaimState::AddUser(DeviceClaimId id, const PodRecord& pod, bool leaving) {
  State& state = states_[id];
  ++state.users;
  state.leaving += leaving ? 1 : 0;
  state.others -= IsReservedFor(id, pod) ? 1 : 0;
  Settle(state, AllocationOf(id) != nullptr);
}

void DeviceClaimState::RemoveUser(DeviceClaimId id, const PodRecord& pod, bool leaving) {
  State& state = states_[id];
  --state.users;
  state.leaving -= leaving ? 1 : 0;
  state.others += IsReservedFor(id, pod) ? 1 : 0;
  if (state.users == 0 && state.decided) {
    ++version_;
    for (const GivenDevice& given : state.given) now_.GiveBack(given);
    Settle(state, false);
    state.decided.reset();
    state.given.clear();
    return;
  }
  Settle(state, AllocationOf(id) != nullptr);
}

void DeviceClaimState::Leave(DeviceClaimId id) {
  ++states_[id].leaving;
  Settle(states_[id], AllocationOf(id) != nullptr);
}

void DeviceClaimState::Stay(DeviceClaimId id) {
  --states_[id].leaving;
  Settle(states_[id], AllocationOf(id) != nullptr);
}

void DeviceClaimState::Decide(DeviceClaimId id, DeviceAllocation allocation,
                              std::vector<GivenDevice> given) {
  ++version_;
  State& state = states_[id];
  state.decided = std::move(allocation);
  state.given = std::move(given);
  for (const GivenDevice& device : state.given) now_.Take(device);
  Settle(state, true);
}

}  // namespace batholith
