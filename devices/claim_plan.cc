#include "devices/claim_plan.h"

namespace batholith {

DeviceClasses::DeviceClasses(const std::vector<DeviceClassRecord>& classes) {
  for (const DeviceClassRecord& record : classes) by_name_.emplace(record.meta.name, &record);
}

const DeviceClassRecord* DeviceClasses::Find(std::string_view name) const {
  const auto it = by_name_.find(name);
  return it == by_name_.end() ? nullptr : it->second;
}

ClaimPlan PlanOf(const DeviceClaimSpec& spec, const DeviceClasses& classes,
                 DeviceMatcher& matcher) {
  ClaimPlan out{&spec, {}};
  for (const DeviceRequest& request : spec.requests) {
    RequestPlan& plan = out.requests.emplace_back();
    plan.request = &request;
    for (const DeviceAsk& ask : request.asks) {
      AskPlan& asked = plan.asks.emplace_back(&ask, classes.Find(ask.device_class));
      if (asked.device_class != nullptr)
        asked.shape = matcher.Add(*asked.device_class, ask.selectors);
    }
  }
  return out;
}

}  // namespace batholith
