#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "api/device_claims.h"
#include "devices/device_pools.h"

namespace batholith {

// A device that is given: all of it, or a part, which several may have.
struct GivenDevice {
  DeviceId device = kNoDevice;
  bool admin_access = false;
  bool shared = false;
  // Of each of its capacities how much, where it is shared.
  std::vector<DeviceAmount> consumed = {};
};

// The devices that claims have: what they leave of devices, capacities and counters. One thread
// changes it, several may ask between. The easy mistake: to give back what was not taken.
class DeviceLedger {
 public:
  explicit DeviceLedger(const DevicePools& pools);

  void Take(const GivenDevice& given) { Change(given, 1); }
  void GiveBack(const GivenDevice& given) { Change(given, -1); }

  // Somebody has all of it.
  bool IsTaken(DeviceId device) const { return whole_[device] > 0; }
  // Somebody has it or a part of it, so that its counters are taken.
  bool IsUsed(DeviceId device) const { return whole_[device] > 0 || parts_[device] > 0; }
  // Of the capacity at this place.
  DeviceAmount ConsumedOf(DeviceId device, std::size_t capacity) const;
  DeviceAmount UsedOf(std::uint32_t counter) const { return counters_[counter]; }
  // Grows with each change.
  std::uint64_t version() const { return version_; }

 private:
  void Change(const GivenDevice& given, std::int32_t by);

  const DevicePools& pools_;
  std::vector<std::int32_t> whole_;  // by DeviceId: claims that have all of it
  std::vector<std::int32_t> parts_;  // by DeviceId: claims that share it
  std::unordered_map<DeviceId, std::vector<DeviceAmount>> consumed_;
  std::vector<DeviceAmount> counters_;
  std::uint64_t version_ = 0;
};

// What an allocation that stands in a claim's status has of the devices that slices still have.
std::vector<GivenDevice> GivenBy(const DeviceAllocation& allocation, const DevicePools& pools);

}  // namespace batholith
