#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/devices.h"

// resource.k8s.io: what is asked of devices, and what was given.
namespace batholith {

// The finalizer that keeps an allocated claim until its devices are given back.
inline constexpr std::string_view kDeviceProtection = "resource.kubernetes.io/delete-protection";
// How many pods or groups may use one claim.
inline constexpr std::size_t kMaxClaimUsers = 256;

struct DeviceToleration {
  std::string key;      // empty with Exists: every key
  bool exists = false;  // operator Exists (else Equal)
  std::string value;
  std::optional<DeviceTaintEffect> effect;  // absent: every effect
  std::optional<std::int64_t> seconds;      // of NoExecute
  bool operator==(const DeviceToleration&) const = default;
};

// One thing that a request may be served with: `exactly`, or one of `firstAvailable`.
struct DeviceAsk {
  std::string name;  // of an alternative; empty with exactly
  std::string device_class;
  std::vector<std::string> selectors;  // CEL expressions; all must be true
  bool all = false;                    // allocationMode All: every device that matches
  std::int64_t count = 1;              // else so many
  bool admin_access = false;           // looks at devices that others have
  std::vector<DeviceToleration> tolerations;
  DeviceAmounts capacity;  // at least so much of each, of every device
  bool operator==(const DeviceAsk&) const = default;
};

struct DeviceRequest {
  std::string name;
  std::vector<DeviceAsk> asks;  // the first one that can be had; exactly: one
  bool prioritized = false;     // firstAvailable
  bool operator==(const DeviceRequest&) const = default;
};

// What devices of several requests must have in common, or in which they must all differ.
struct DeviceConstraint {
  std::vector<std::string> requests;  // REQUEST or REQUEST/ALTERNATIVE; empty: all of the claim
  std::string match_attribute;        // one of these two
  std::string distinct_attribute;
  bool operator==(const DeviceConstraint&) const = default;
};

struct DeviceClaimSpec {
  std::vector<DeviceRequest> requests;
  std::vector<DeviceConstraint> constraints;
  std::vector<DeviceConfig> config;
  bool operator==(const DeviceClaimSpec&) const = default;
};

// A device that was given to a request.
struct AllocatedDevice {
  std::string request;  // REQUEST, or REQUEST/ALTERNATIVE
  std::string driver;
  std::string pool;
  std::string device;
  bool admin_access = false;
  std::vector<DeviceToleration> tolerations;
  std::vector<std::string> binding_conditions;
  std::vector<std::string> binding_failures;
  std::string share_id;    // of a device that several may share: one for each allocation
  DeviceAmounts consumed;  // of the capacities of such a device
  bool operator==(const AllocatedDevice&) const = default;
};

struct AllocatedConfig {
  bool of_class = false;  // source FromClass, else FromClaim
  DeviceConfig config;
  bool operator==(const AllocatedConfig&) const = default;
};

struct DeviceAllocation {
  std::vector<AllocatedDevice> devices;
  std::vector<AllocatedConfig> config;
  std::optional<std::vector<NodeSelectorTerm>> nodes;  // absent: usable from every node
  TimeNs at = 0;
  bool operator==(const DeviceAllocation&) const = default;
};

// Who may use an allocated claim.
struct ClaimUser {
  std::string api_group;
  std::string resource;  // pods
  std::string name;
  std::string uid;
  bool operator==(const ClaimUser&) const = default;
};

struct DeviceCondition {
  std::string type;
  bool holds = false;
  bool operator==(const DeviceCondition&) const = default;
};

// What a driver says of a device that was given.
struct AllocatedDeviceStatus {
  std::string driver;
  std::string pool;
  std::string device;
  std::string share_id;
  std::vector<DeviceCondition> conditions;
  bool operator==(const AllocatedDeviceStatus&) const = default;
};

struct ResourceClaimRecord {
  ObjectMeta meta;
  std::string resource_version;
  DeviceClaimSpec spec;
  std::optional<DeviceAllocation> allocation;
  std::vector<ClaimUser> reserved_for;
  std::vector<AllocatedDeviceStatus> devices;
  bool operator==(const ResourceClaimRecord&) const = default;
};

// From which a claim is made for each pod that names it.
struct ResourceClaimTemplateRecord {
  ObjectMeta meta;
  Labels labels;  // of the claims
  Labels annotations;
  DeviceClaimSpec spec;
  bool operator==(const ResourceClaimTemplateRecord&) const = default;
};

}  // namespace batholith
