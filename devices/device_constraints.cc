#include "devices/device_constraints.h"

#include <algorithm>

namespace batholith {
namespace {

bool TaintIsTolerated(const DeviceToleration& toleration, const DeviceTaint& taint) {
  if (toleration.effect && *toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  return toleration.exists || (!toleration.key.empty() && toleration.value == taint.value);
}

}  // namespace

const DeviceAttribute* AttributeOf(const Device& device, std::string_view driver,
                                   std::string_view name) {
  auto it = device.attributes.find(name);
  if (it == device.attributes.end()) {
    const std::size_t slash = name.find('/');
    if (slash == std::string_view::npos || name.substr(0, slash) != driver) return nullptr;
    it = device.attributes.find(name.substr(slash + 1));
    if (it == device.attributes.end()) return nullptr;
  }
  return std::holds_alternative<std::monostate>(it->second) ? nullptr : &it->second;
}

bool Concerns(const DeviceConstraint& constraint, const DeviceRequest& request,
              const DeviceAsk& ask) {
  if (constraint.requests.empty()) return true;
  return std::ranges::any_of(constraint.requests, [&](std::string_view name) {
    if (name == request.name) return true;
    return !ask.name.empty() && name.size() == request.name.size() + 1 + ask.name.size() &&
           name.starts_with(request.name) && name[request.name.size()] == '/' &&
           name.ends_with(ask.name);
  });
}

bool Tolerates(const std::vector<DeviceToleration>& tolerations, const Device& device) {
  return std::ranges::all_of(device.taints, [&](const DeviceTaint& taint) {
    if (taint.effect == DeviceTaintEffect::kNone) return true;
    return std::ranges::any_of(tolerations, [&](const DeviceToleration& toleration) {
      return TaintIsTolerated(toleration, taint);
    });
  });
}

}  // namespace batholith
