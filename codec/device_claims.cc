#include <algorithm>
#include <boost/json.hpp>

#include "api/time_text.h"
#include "codec/device_parts.h"
#include "codec/encode_parts.h"
#include "codec/kinds.h"
#include "codec/pod_device_claims.h"

namespace batholith {
namespace {

namespace json = boost::json;

constexpr Choices<bool, 2> kAllocationModes{{{"ExactCount", false}, {"All", true}}};
constexpr Choices<bool, 2> kTolerationOperators{{{"Equal", false}, {"Exists", true}}};
constexpr Choices<bool, 2> kConfigSources{{{"FromClaim", false}, {"FromClass", true}}};

DeviceToleration ReadDeviceToleration(const Field& toleration) {
  DeviceToleration out{toleration["key"].Text(),
                       toleration["operator"].OneOf(kTolerationOperators, false),
                       toleration["value"].Text(),
                       {},
                       {}};
  if (const Field effect = toleration["effect"]; !effect.Text().empty())
    out.effect = effect.OneOf(kDeviceTaintEffects);
  if (const Field seconds = toleration["tolerationSeconds"]; seconds.present())
    out.seconds = seconds.Clamped(0, INT64_MIN, INT64_MAX);
  return out;
}

json::array DeviceTolerationList(const std::vector<DeviceToleration>& tolerations) {
  json::array out;
  for (const DeviceToleration& toleration : tolerations) {
    json::object item{{"operator", toleration.exists ? "Exists" : "Equal"}};
    Put(item, "key", toleration.key);
    Put(item, "value", toleration.value);
    if (toleration.effect) item["effect"] = DeviceTaintEffectName(*toleration.effect);
    if (toleration.seconds) item["tolerationSeconds"] = *toleration.seconds;
    out.push_back(std::move(item));
  }
  return out;
}

DeviceAsk ReadAsk(const Field& ask, std::string name) {
  DeviceAsk out;
  out.name = std::move(name);
  out.device_class = ask["deviceClassName"].Text();
  out.selectors = ReadDeviceSelectors(ask["selectors"]);
  out.all = ask["allocationMode"].OneOf(kAllocationModes, false);
  out.count = std::max<std::int64_t>(ask["count"].Int(1, 0, INT64_MAX), 1);
  if (out.all) out.count = 1;
  out.admin_access = ask["adminAccess"].Bool(false);
  for (const Field& toleration : ItemsUpTo(16, ask["tolerations"]))
    out.tolerations.push_back(ReadDeviceToleration(toleration));
  out.capacity = ReadDeviceAmounts(ask["capacity"]["requests"]);
  return out;
}

json::object AskObject(const DeviceAsk& ask) {
  json::object out{{"deviceClassName", ask.device_class},
                   {"allocationMode", ask.all ? "All" : "ExactCount"}};
  if (!ask.all) out["count"] = ask.count;
  Put(out, "name", ask.name);
  Put(out, "selectors", DeviceSelectorList(ask.selectors));
  if (ask.admin_access) out["adminAccess"] = true;
  Put(out, "tolerations", DeviceTolerationList(ask.tolerations));
  json::object capacity;
  Put(capacity, "requests", DeviceAmountsObject(ask.capacity));
  Put(out, "capacity", std::move(capacity));
  return out;
}

// v1beta1 has the fields of `exactly` in the request itself.
DeviceRequest ReadRequest(const Field& request) {
  DeviceRequest out;
  out.name = request["name"].Text();
  for (const Field& ask : ItemsUpTo(8, request["firstAvailable"]))
    out.asks.push_back(ReadAsk(ask, ask["name"].Text()));
  out.prioritized = !out.asks.empty();
  if (out.prioritized) return out;
  const Field exactly = request["exactly"];
  if (!exactly.present() && !request["deviceClassName"].present())
    request.Flaw("must have exactly or firstAvailable");
  out.asks.push_back(ReadAsk(exactly.present() ? exactly : request, {}));
  return out;
}

DeviceClaimSpec ReadSpec(const Field& devices) {
  DeviceClaimSpec out;
  for (const Field& request : ItemsUpTo(32, devices["requests"]))
    out.requests.push_back(ReadRequest(request));
  for (const Field& constraint : ItemsUpTo(32, devices["constraints"])) {
    out.constraints.push_back({constraint["requests"].Texts(), constraint["matchAttribute"].Text(),
                               constraint["distinctAttribute"].Text()});
    if (out.constraints.back().match_attribute.empty() ==
        out.constraints.back().distinct_attribute.empty())
      constraint.Flaw("must have matchAttribute or distinctAttribute");
  }
  for (const Field& config : devices["config"].Items())
    out.config.push_back(ReadDeviceConfig(config));
  return out;
}

json::object SpecObject(const DeviceClaimSpec& spec) {
  json::array requests;
  for (const DeviceRequest& request : spec.requests) {
    json::object item{{"name", request.name}};
    if (request.prioritized) {
      json::array asks;
      for (const DeviceAsk& ask : request.asks) asks.push_back(AskObject(ask));
      item["firstAvailable"] = std::move(asks);
    } else {
      item["exactly"] = AskObject(request.asks.front());
    }
    requests.push_back(std::move(item));
  }
  json::array constraints;
  for (const DeviceConstraint& constraint : spec.constraints) {
    json::object item;
    Put(item, "requests", TextList(constraint.requests));
    Put(item, "matchAttribute", constraint.match_attribute);
    Put(item, "distinctAttribute", constraint.distinct_attribute);
    constraints.push_back(std::move(item));
  }
  json::array configs;
  for (const DeviceConfig& config : spec.config) configs.push_back(DeviceConfigObject(config));
  json::object out;
  Put(out, "requests", std::move(requests));
  Put(out, "constraints", std::move(constraints));
  Put(out, "config", std::move(configs));
  return {{"devices", std::move(out)}};
}

AllocatedDevice ReadAllocatedDevice(const Field& result) {
  AllocatedDevice out;
  out.request = result["request"].Text();
  out.driver = result["driver"].Text();
  out.pool = result["pool"].Text();
  out.device = result["device"].Text();
  out.admin_access = result["adminAccess"].Bool(false);
  for (const Field& toleration : result["tolerations"].Items())
    out.tolerations.push_back(ReadDeviceToleration(toleration));
  out.binding_conditions = result["bindingConditions"].Texts();
  out.binding_failures = result["bindingFailureConditions"].Texts();
  out.share_id = result["shareID"].Text();
  out.consumed = ReadDeviceAmounts(result["consumedCapacity"]);
  return out;
}

json::object AllocatedObject(const AllocatedDevice& device) {
  json::object out{{"request", device.request},
                   {"driver", device.driver},
                   {"pool", device.pool},
                   {"device", device.device}};
  if (device.admin_access) out["adminAccess"] = true;
  Put(out, "tolerations", DeviceTolerationList(device.tolerations));
  Put(out, "bindingConditions", TextList(device.binding_conditions));
  Put(out, "bindingFailureConditions", TextList(device.binding_failures));
  Put(out, "shareID", device.share_id);
  Put(out, "consumedCapacity", DeviceAmountsObject(device.consumed));
  return out;
}

std::optional<DeviceAllocation> ReadAllocation(const Field& allocation) {
  if (!allocation.present()) return std::nullopt;
  DeviceAllocation out;
  for (const Field& result : ItemsUpTo(32, allocation["devices"]["results"]))
    out.devices.push_back(ReadAllocatedDevice(result));
  for (const Field& config : allocation["devices"]["config"].Items())
    out.config.push_back({config["source"].OneOf(kConfigSources, false), ReadDeviceConfig(config)});
  out.nodes = ReadNodeTerms(allocation["nodeSelector"]);
  out.at = allocation["allocationTimestamp"].Time();
  return out;
}

std::vector<AllocatedDeviceStatus> ReadStatuses(const Field& devices) {
  std::vector<AllocatedDeviceStatus> out;
  for (const Field& device : devices.Items()) {
    AllocatedDeviceStatus& read =
        out.emplace_back(device["driver"].Text(), device["pool"].Text(), device["device"].Text(),
                         device["shareID"].Text());
    for (const Field& condition : device["conditions"].Items())
      read.conditions.push_back({condition["type"].Text(), condition["status"].Text() == "True"});
  }
  return out;
}

json::object StatusObject(const AllocatedDeviceStatus& device) {
  json::object out{{"driver", device.driver}, {"pool", device.pool}, {"device", device.device}};
  Put(out, "shareID", device.share_id);
  json::array conditions;
  for (const DeviceCondition& condition : device.conditions)
    conditions.push_back(
        {{"type", condition.type}, {"status", condition.holds ? "True" : "False"}});
  Put(out, "conditions", std::move(conditions));
  return out;
}

}  // namespace

json::object AllocationObject(const DeviceAllocation& allocation) {
  json::array results;
  for (const AllocatedDevice& device : allocation.devices)
    results.push_back(AllocatedObject(device));
  json::array configs;
  for (const AllocatedConfig& config : allocation.config) {
    json::object item = DeviceConfigObject(config.config);
    item["source"] = config.of_class ? "FromClass" : "FromClaim";
    configs.push_back(std::move(item));
  }
  json::object devices;
  Put(devices, "results", std::move(results));
  Put(devices, "config", std::move(configs));
  json::object out;
  Put(out, "devices", std::move(devices));
  if (allocation.nodes) out["nodeSelector"] = NodeTermsObject(*allocation.nodes);
  if (allocation.at != 0) out["allocationTimestamp"] = FormatTime(allocation.at);
  return out;
}

ResourceClaimRecord ReadResourceClaim(const Field& object) {
  ResourceClaimRecord out;
  out.meta = ReadMeta(object);
  out.resource_version = object["metadata"]["resourceVersion"].Text();
  out.spec = ReadSpec(object["spec"]["devices"]);
  const Field status = object["status"];
  out.allocation = ReadAllocation(status["allocation"]);
  for (const Field& user : ItemsUpTo(kMaxClaimUsers, status["reservedFor"])) {
    out.reserved_for.push_back({user["apiGroup"].Text(), user["resource"].Text(),
                                user["name"].Text(), user["uid"].Text()});
  }
  out.devices = ReadStatuses(status["devices"]);
  return out;
}

json::object Encode(const ResourceClaimRecord& claim) {
  json::object out = Begin(claim);
  Put(out["metadata"].as_object(), "resourceVersion", claim.resource_version);
  out["spec"] = SpecObject(claim.spec);
  json::object status;
  if (claim.allocation) status["allocation"] = AllocationObject(*claim.allocation);
  json::array users;
  for (const ClaimUser& user : claim.reserved_for) {
    json::object item{{"resource", user.resource}, {"name", user.name}, {"uid", user.uid}};
    Put(item, "apiGroup", user.api_group);
    users.push_back(std::move(item));
  }
  Put(status, "reservedFor", std::move(users));
  json::array devices;
  for (const AllocatedDeviceStatus& device : claim.devices) devices.push_back(StatusObject(device));
  Put(status, "devices", std::move(devices));
  Put(out, "status", std::move(status));
  return out;
}

ResourceClaimTemplateRecord ReadResourceClaimTemplate(const Field& object) {
  const Field spec = object["spec"];
  return {ReadMeta(object), spec["metadata"]["labels"].TextMap(),
          spec["metadata"]["annotations"].TextMap(), ReadSpec(spec["spec"]["devices"])};
}

json::object Encode(const ResourceClaimTemplateRecord& claim_template) {
  json::object out = Begin(claim_template);
  json::object meta;
  Put(meta, "labels", TextMap(claim_template.labels));
  Put(meta, "annotations", TextMap(claim_template.annotations));
  json::object spec{{"spec", SpecObject(claim_template.spec)}};
  Put(spec, "metadata", std::move(meta));
  out["spec"] = std::move(spec);
  return out;
}

PodDeviceClaims ReadPodDeviceClaims(const Field& spec, const Field& status) {
  PodDeviceClaims out;
  for (const Field& claim : spec["resourceClaims"].Items()) {
    out.push_back({claim["name"].Text(), claim["resourceClaimName"].Text(),
                   claim["resourceClaimTemplateName"].Text()});
  }
  if (out.empty()) return out;
  for (const Field& made : status["resourceClaimStatuses"].Items()) {
    const auto claim = std::ranges::find(out, made["name"].Text(), &PodDeviceClaim::name);
    if (claim != out.end()) claim->made = made["resourceClaimName"].Text();
  }
  return out;
}

void PutPodDeviceClaims(const PodDeviceClaims& claims, json::object& spec, json::object& status) {
  json::array list;
  json::array statuses;
  for (const PodDeviceClaim& claim : claims) {
    json::object item{{"name", claim.name}};
    Put(item, "resourceClaimName", claim.claim);
    Put(item, "resourceClaimTemplateName", claim.template_);
    list.push_back(std::move(item));
    if (!claim.made) continue;
    json::object made{{"name", claim.name}};
    Put(made, "resourceClaimName", *claim.made);
    statuses.push_back(std::move(made));
  }
  Put(spec, "resourceClaims", std::move(list));
  Put(status, "resourceClaimStatuses", std::move(statuses));
}

}  // namespace batholith
