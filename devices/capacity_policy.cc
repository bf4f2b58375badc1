#include "devices/capacity_policy.h"

#include <algorithm>

namespace batholith {
namespace {

std::optional<DeviceAmount> InRange(const CapacityPolicy::Range& range, DeviceAmount asked) {
  DeviceAmount taken = std::max(asked, range.min);
  if (range.step && *range.step > 0) {
    const DeviceAmount above = taken - range.min;
    taken = range.min + (above + *range.step - 1) / *range.step * *range.step;
  }
  if (range.max && taken > *range.max) return std::nullopt;
  return taken;
}

// The amount that is asked of a capacity, by either of its names; absent: none is.
std::optional<DeviceAmount> AskedOf(const DeviceAmounts& asked, std::string_view driver,
                                    const std::string& name) {
  if (const auto it = asked.find(name); it != asked.end()) return it->second;
  if (name.find('/') != std::string::npos) {
    if (!name.starts_with(driver) || name[driver.size()] != '/') return std::nullopt;
    const auto it = asked.find(std::string_view(name).substr(driver.size() + 1));
    return it == asked.end() ? std::nullopt : std::optional(it->second);
  }
  const auto it = asked.find(std::string(driver) + "/" + name);
  return it == asked.end() ? std::nullopt : std::optional(it->second);
}

bool HasCapacity(const Device& device, std::string_view driver, std::string_view name) {
  if (device.capacity.contains(name)) return true;
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos)
    return device.capacity.contains(std::string(driver) + "/" + std::string(name));
  return name.substr(0, slash) == driver && device.capacity.contains(name.substr(slash + 1));
}

}  // namespace

std::optional<DeviceAmount> ConsumedOf(const DeviceCapacity& capacity,
                                       std::optional<DeviceAmount> asked) {
  const CapacityPolicy* policy = capacity.policy ? &*capacity.policy : nullptr;
  if (!asked) return policy != nullptr && policy->fallback ? *policy->fallback : capacity.value;
  if (policy == nullptr || (policy->fallback && *asked == *policy->fallback)) return asked;
  if (policy->valid_range) return InRange(*policy->valid_range, *asked);
  if (policy->valid_values.empty()) return asked;
  std::optional<DeviceAmount> taken;
  for (const DeviceAmount value : policy->valid_values) {
    if (value >= *asked && (!taken || value < *taken)) taken = value;
  }
  return taken;
}

std::optional<std::vector<DeviceAmount>> ConsumedOf(const Device& device, std::string_view driver,
                                                    const DeviceAmounts& asked) {
  for (const auto& [name, amount] : asked) {
    if (!HasCapacity(device, driver, name)) return std::nullopt;
  }
  std::vector<DeviceAmount> out;
  for (const auto& [name, capacity] : device.capacity) {
    const std::optional<DeviceAmount> wanted = AskedOf(asked, driver, name);
    if (!device.shareable) {
      if (wanted && *wanted > capacity.value) return std::nullopt;
      continue;
    }
    const std::optional<DeviceAmount> taken = ConsumedOf(capacity, wanted);
    if (!taken || *taken > capacity.value) return std::nullopt;
    out.push_back(*taken);
  }
  return out;
}

}  // namespace batholith
