#include "devices/device_ledger.h"

namespace batholith {

DeviceLedger::DeviceLedger(const DevicePools& pools)
    : pools_(pools),
      whole_(pools.device_count()),
      parts_(pools.device_count()),
      counters_(pools.counter_count()) {}

DeviceAmount DeviceLedger::ConsumedOf(DeviceId device, std::size_t capacity) const {
  const auto it = consumed_.find(device);
  return it == consumed_.end() ? 0 : it->second[capacity];
}

void DeviceLedger::Change(const GivenDevice& given, std::int32_t by) {
  if (given.admin_access) return;
  ++version_;
  const bool used = IsUsed(given.device);
  (given.shared ? parts_ : whole_)[given.device] += by;
  if (given.shared) {
    std::vector<DeviceAmount>& sums = consumed_[given.device];
    sums.resize(pools_.device(given.device).capacity.size());
    for (std::size_t i = 0; i < given.consumed.size(); ++i) sums[i] += given.consumed[i] * by;
  }
  if (used == IsUsed(given.device)) return;
  for (const CounterUse& use : pools_.UsesOf(given.device))
    counters_[use.counter] += use.amount * by;
}

std::vector<GivenDevice> GivenBy(const DeviceAllocation& allocation, const DevicePools& pools) {
  std::vector<GivenDevice> out;
  for (const AllocatedDevice& result : allocation.devices) {
    GivenDevice given{pools.Find(result.driver, result.pool, result.device), result.admin_access};
    if (given.device == kNoDevice) continue;
    const Device& device = pools.device(given.device);
    // A part of a device that cannot be shared any more is all of it.
    given.shared = device.shareable && !result.share_id.empty();
    if (given.shared) {
      for (const auto& [name, capacity] : device.capacity) {
        const auto it = result.consumed.find(name);
        given.consumed.push_back(it == result.consumed.end() ? 0 : it->second);
      }
    }
    out.push_back(std::move(given));
  }
  return out;
}

}  // namespace batholith
