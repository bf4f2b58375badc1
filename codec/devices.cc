#include <boost/json.hpp>

#include "api/time_text.h"
#include "codec/device_parts.h"
#include "codec/encode_parts.h"
#include "codec/kinds.h"

namespace batholith {
namespace {

namespace json = boost::json;

DeviceAttribute ReadAttribute(const Field& attribute) {
  if (const Field value = attribute["int"]; value.present())
    return value.Int(0, INT64_MIN, INT64_MAX);
  if (const Field value = attribute["bool"]; value.present()) return value.Bool(false);
  if (const Field value = attribute["string"]; value.present()) return value.Text();
  if (const Field value = attribute["version"]; value.present()) return DeviceVersion{value.Text()};
  return std::monostate();
}

json::object AttributeObject(const DeviceAttribute& attribute) {
  if (const auto* number = std::get_if<std::int64_t>(&attribute)) return {{"int", *number}};
  if (const auto* yes = std::get_if<bool>(&attribute)) return {{"bool", *yes}};
  if (const auto* text = std::get_if<std::string>(&attribute)) return {{"string", *text}};
  if (const auto* version = std::get_if<DeviceVersion>(&attribute))
    return {{"version", version->text}};
  return {};
}

std::optional<DeviceAmount> ReadOptional(const Field& amount) {
  return amount.present() ? std::optional(ReadDeviceAmount(amount)) : std::nullopt;
}

CapacityPolicy ReadPolicy(const Field& policy) {
  CapacityPolicy out;
  out.fallback = ReadOptional(policy["default"]);
  for (const Field& value : policy["validValues"].Items())
    out.valid_values.push_back(ReadDeviceAmount(value));
  if (const Field range = policy["validRange"]; range.present()) {
    out.valid_range = {ReadDeviceAmount(range["min"]), ReadOptional(range["max"]),
                       ReadOptional(range["step"])};
  }
  return out;
}

json::object PolicyObject(const CapacityPolicy& policy) {
  json::object out;
  if (policy.fallback) out["default"] = DeviceAmountText(*policy.fallback);
  json::array values;
  for (const DeviceAmount value : policy.valid_values) values.emplace_back(DeviceAmountText(value));
  Put(out, "validValues", std::move(values));
  if (policy.valid_range) {
    json::object range{{"min", DeviceAmountText(policy.valid_range->min)}};
    if (policy.valid_range->max) range["max"] = DeviceAmountText(*policy.valid_range->max);
    if (policy.valid_range->step) range["step"] = DeviceAmountText(*policy.valid_range->step);
    out["validRange"] = std::move(range);
  }
  return out;
}

DeviceCapacities ReadCapacities(const Field& capacities) {
  DeviceCapacities out;
  for (const auto& [name, capacity] : capacities.Entries()) {
    DeviceCapacity& read = out[name];
    read.value = ReadDeviceAmount(capacity["value"]);
    if (const Field policy = capacity["requestPolicy"]; policy.present())
      read.policy = ReadPolicy(policy);
  }
  return out;
}

std::vector<CounterSet> ReadCounterSets(const Field& sets, const char* name) {
  std::vector<CounterSet> out;
  for (const Field& set : sets.Items()) {
    CounterSet& read = out.emplace_back();
    read.name = set[name].Text();
    for (const auto& [counter, amount] : set["counters"].Entries())
      read.counters[counter] = ReadDeviceAmount(amount["value"]);
  }
  return out;
}

json::array CounterSetList(const std::vector<CounterSet>& sets, const char* name) {
  json::array out;
  for (const CounterSet& set : sets) {
    json::object counters;
    for (const auto& [counter, amount] : set.counters)
      counters[counter] = json::object{{"value", DeviceAmountText(amount)}};
    out.push_back(json::object{{name, set.name}, {"counters", std::move(counters)}});
  }
  return out;
}

DeviceNodes ReadNodes(const Field& where) {
  return {where["nodeName"].Text(), ReadNodeTerms(where["nodeSelector"]),
          where["allNodes"].Bool(false)};
}

void PutNodes(json::object& out, const DeviceNodes& nodes) {
  Put(out, "nodeName", nodes.node);
  if (nodes.selector) out["nodeSelector"] = NodeTermsObject(*nodes.selector);
  if (nodes.all) out["allNodes"] = true;
}

DeviceTaint ReadDeviceTaint(const Field& taint) {
  return {taint["key"].Text(), taint["value"].Text(),
          taint["effect"].OneOf(kDeviceTaintEffects).value_or(DeviceTaintEffect::kNoExecute),
          taint["timeAdded"].Time()};
}

json::object DeviceTaintObject(const DeviceTaint& taint) {
  json::object out{{"key", taint.key}, {"effect", DeviceTaintEffectName(taint.effect)}};
  Put(out, "value", taint.value);
  if (taint.added != 0) out["timeAdded"] = FormatTime(taint.added);
  return out;
}

// v1beta1 keeps everything but the name in `basic`.
Device ReadDevice(const Field& object) {
  const Field basic = object["basic"];
  const Field device = basic.present() ? basic : object;
  Device out;
  out.name = object["name"].Text();
  for (const auto& [name, attribute] : device["attributes"].Entries())
    out.attributes[name] = ReadAttribute(attribute);
  out.capacity = ReadCapacities(device["capacity"]);
  out.consumes = ReadCounterSets(device["consumesCounters"], "counterSet");
  out.nodes = ReadNodes(device);
  for (const Field& taint : ItemsUpTo(16, device["taints"]))
    out.taints.push_back(ReadDeviceTaint(taint));
  out.binds_to_node = device["bindsToNode"].Bool(false);
  out.binding_conditions = device["bindingConditions"].Texts();
  out.binding_failures = device["bindingFailureConditions"].Texts();
  out.shareable = device["allowMultipleAllocations"].Bool(false);
  return out;
}

json::object DeviceObject(const Device& device) {
  json::object out{{"name", device.name}};
  json::object attributes;
  for (const auto& [name, attribute] : device.attributes)
    attributes[name] = AttributeObject(attribute);
  Put(out, "attributes", std::move(attributes));
  json::object capacities;
  for (const auto& [name, capacity] : device.capacity) {
    json::object item{{"value", DeviceAmountText(capacity.value)}};
    if (capacity.policy) item["requestPolicy"] = PolicyObject(*capacity.policy);
    capacities[name] = std::move(item);
  }
  Put(out, "capacity", std::move(capacities));
  Put(out, "consumesCounters", CounterSetList(device.consumes, "counterSet"));
  PutNodes(out, device.nodes);
  json::array taints;
  for (const DeviceTaint& taint : device.taints) taints.push_back(DeviceTaintObject(taint));
  Put(out, "taints", std::move(taints));
  if (device.binds_to_node) out["bindsToNode"] = true;
  Put(out, "bindingConditions", TextList(device.binding_conditions));
  Put(out, "bindingFailureConditions", TextList(device.binding_failures));
  if (device.shareable) out["allowMultipleAllocations"] = true;
  return out;
}

}  // namespace

ResourceSliceRecord ReadResourceSlice(const Field& object) {
  ResourceSliceRecord out;
  out.meta = ReadMeta(object);
  const Field spec = object["spec"];
  out.driver = spec["driver"].Text();
  const Field pool = spec["pool"];
  out.pool = pool["name"].Text();
  out.generation = pool["generation"].Int(0, INT64_MIN, INT64_MAX);
  out.slices_in_pool = pool["resourceSliceCount"].Int(0, INT64_MIN, INT64_MAX);
  out.nodes = ReadNodes(spec);
  out.nodes_by_device = spec["perDeviceNodeSelection"].Bool(false);
  for (const Field& device : ItemsUpTo(128, spec["devices"]))
    out.devices.push_back(ReadDevice(device));
  out.shared_counters = ReadCounterSets(spec["sharedCounters"], "name");
  return out;
}

json::object Encode(const ResourceSliceRecord& slice) {
  json::object out = Begin(slice);
  json::object spec{{"driver", slice.driver},
                    {"pool",
                     {{"name", slice.pool},
                      {"generation", slice.generation},
                      {"resourceSliceCount", slice.slices_in_pool}}}};
  PutNodes(spec, slice.nodes);
  if (slice.nodes_by_device) spec["perDeviceNodeSelection"] = true;
  json::array devices;
  for (const Device& device : slice.devices) devices.push_back(DeviceObject(device));
  Put(spec, "devices", std::move(devices));
  Put(spec, "sharedCounters", CounterSetList(slice.shared_counters, "name"));
  out["spec"] = std::move(spec);
  return out;
}

DeviceClassRecord ReadDeviceClass(const Field& object) {
  DeviceClassRecord out;
  out.meta = ReadMeta(object);
  const Field spec = object["spec"];
  out.selectors = ReadDeviceSelectors(spec["selectors"]);
  for (const Field& config : spec["config"].Items()) out.config.push_back(ReadDeviceConfig(config));
  out.extended_resource = spec["extendedResourceName"].Text();
  return out;
}

json::object Encode(const DeviceClassRecord& device_class) {
  json::object out = Begin(device_class);
  json::object spec;
  Put(spec, "selectors", DeviceSelectorList(device_class.selectors));
  json::array configs;
  for (const DeviceConfig& config : device_class.config)
    configs.push_back(DeviceConfigObject(config));
  Put(spec, "config", std::move(configs));
  Put(spec, "extendedResourceName", device_class.extended_resource);
  out["spec"] = std::move(spec);
  return out;
}

}  // namespace batholith
