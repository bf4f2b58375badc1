#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <optional>
#include <string>
#include <vector>

#include "api/device_claims.h"
#include "codec/json/field.h"

// What kinds of resource.k8s.io share.
namespace batholith {

inline constexpr Choices<DeviceTaintEffect, 3> kDeviceTaintEffects{
    {{"None", DeviceTaintEffect::kNone},
     {"NoSchedule", DeviceTaintEffect::kNoSchedule},
     {"NoExecute", DeviceTaintEffect::kNoExecute}}};
std::string_view DeviceTaintEffectName(DeviceTaintEffect effect);

// The items of a list of which an API server takes so many at most; more is a flaw.
std::vector<Field> ItemsUpTo(std::size_t most, const Field& list);

DeviceAmount ReadDeviceAmount(const Field& amount);  // absent: 0
DeviceAmounts ReadDeviceAmounts(const Field& amounts);
boost::json::object DeviceAmountsObject(const DeviceAmounts& amounts);

// Of a node selector; absent is std::nullopt.
std::optional<std::vector<NodeSelectorTerm>> ReadNodeTerms(const Field& selector);
boost::json::object NodeTermsObject(const std::vector<NodeSelectorTerm>& terms);

// selectors[].cel.expression
std::vector<std::string> ReadDeviceSelectors(const Field& selectors);
boost::json::array DeviceSelectorList(const std::vector<std::string>& selectors);

DeviceConfig ReadDeviceConfig(const Field& config);
boost::json::object DeviceConfigObject(const DeviceConfig& config);

}  // namespace batholith
