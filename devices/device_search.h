#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "devices/claim_plan.h"
#include "devices/device_ledger.h"
#include "devices/device_pools.h"

namespace batholith {

// How a search for devices ended. What is wrong with more than the node concerns the whole attempt
// to place the pod, as kube-scheduler has it.
enum class SearchEnd : std::uint8_t {
  kFound,
  kNone,
  kStepLimit,    // before it was known whether there are any
  kPoolInvalid,  // nothing was found, and a pool of the node cannot be used
  // Of more than the node:
  kClassMissing,
  kTooManyDevices,  // for one claim
  kCompileError,    // of a selector
  kRuntimeError,
  kNotBool,
  kAllIncomplete,  // all devices are asked for, and slices of a pool are missing
  kAllInvalid,     // likewise, and a pool cannot be used
};
constexpr bool IsOfPod(SearchEnd end) { return end >= SearchEnd::kClassMissing; }

// A device that one request of a claim gets; numbers are places in the lists.
struct DevicePick {
  DeviceId device = kNoDevice;
  std::uint32_t claim = 0;
  std::uint32_t request = 0;
  std::uint32_t ask = 0;
};

struct SearchResult {
  SearchEnd end = SearchEnd::kNone;
  std::vector<DevicePick> picks;  // found: claim by claim, request by request
  // What it is about, where it ended for a reason.
  std::uint32_t claim = 0;
  std::uint32_t request = 0;
  std::uint32_t ask = 0;
  std::uint32_t pool = 0;
};

// At most so many devices may be given to one claim.
inline constexpr std::size_t kMaxDevicesOfClaim = 32;
// A search for more claims together is not begun.
inline constexpr std::size_t kMaxClaimsOfPod = 64;
// How many devices one search looks at; a device counts each time. The same on every machine.
inline constexpr std::int64_t kMaxSearchSteps = 50'000;

// Devices of the node for the claims, one search over all of them, in the order of Kubernetes'
// structured allocator (1.36): claims, requests, alternatives and devices in their order, the first
// full solution. Devices of one request are tried in rising order only: their order changes nothing
// else. Cost: exponential in the worst case, within kMaxSearchSteps.
SearchResult FindDevices(const DevicePools& pools, const DeviceMatcher& matcher,
                         const DeviceLedger& ledger, std::span<const ClaimPlan* const> claims,
                         std::uint32_t node);

// As ledgers take it.
GivenDevice GivenOf(const DevicePick& pick, std::span<const ClaimPlan* const> claims,
                    const DevicePools& pools);

}  // namespace batholith
