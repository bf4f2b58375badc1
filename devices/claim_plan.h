#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/cluster_objects.h"
#include "devices/device_matcher.h"

namespace batholith {

// An ask whose class was looked up.
struct AskPlan {
  const DeviceAsk* ask = nullptr;
  const DeviceClassRecord* device_class = nullptr;  // nullptr: it is not there
  DeviceMatcher::ShapeId shape = 0;                 // where it is there
};

struct RequestPlan {
  const DeviceRequest* request = nullptr;
  std::vector<AskPlan> asks;
};

// What a claim asks for, in the form in which devices are searched for it.
struct ClaimPlan {
  const DeviceClaimSpec* spec = nullptr;
  std::vector<RequestPlan> requests;
};

// The device classes of a cluster by name.
class DeviceClasses {
 public:
  explicit DeviceClasses(const std::vector<DeviceClassRecord>& classes);
  const DeviceClassRecord* Find(std::string_view name) const;

 private:
  std::unordered_map<std::string_view, const DeviceClassRecord*> by_name_;
};

// Refers to the spec and the classes.
ClaimPlan PlanOf(const DeviceClaimSpec& spec, const DeviceClasses& classes, DeviceMatcher& matcher);

}  // namespace batholith
