#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/device_amount.h"
#include "api/objects.h"

// resource.k8s.io: the devices that drivers offer, and the classes that people ask for. What is
// asked is in api/device_claims.h.
namespace batholith {

// A semantic version, as it is written.
struct DeviceVersion {
  std::string text;
  bool operator==(const DeviceVersion&) const = default;
};

// std::monostate: of a type that this build does not know.
using DeviceAttribute =
    std::variant<std::monostate, std::int64_t, bool, std::string, DeviceVersion>;

// Attributes and capacities by their names as they are written: "domain/name", or "name" alone,
// which belongs to the domain of the driver.
using DeviceAttributes = std::map<std::string, DeviceAttribute, std::less<>>;
using DeviceAmounts = std::map<std::string, DeviceAmount, std::less<>>;

// Which amounts of a capacity may be asked of a device that several may share. Amounts between are
// rounded up to the next one that is valid.
struct CapacityPolicy {
  struct Range {
    DeviceAmount min = 0;
    std::optional<DeviceAmount> max;
    std::optional<DeviceAmount> step;  // from min on
    bool operator==(const Range&) const = default;
  };
  std::optional<DeviceAmount> fallback;    // what a request takes that asks for none of it
  std::vector<DeviceAmount> valid_values;  // rising
  std::optional<Range> valid_range;
  bool operator==(const CapacityPolicy&) const = default;
};

struct DeviceCapacity {
  DeviceAmount value = 0;
  std::optional<CapacityPolicy> policy;
  bool operator==(const DeviceCapacity&) const = default;
};
using DeviceCapacities = std::map<std::string, DeviceCapacity, std::less<>>;

enum class DeviceTaintEffect : std::uint8_t { kNone, kNoSchedule, kNoExecute };

struct DeviceTaint {
  std::string key;
  std::string value;
  DeviceTaintEffect effect = DeviceTaintEffect::kNoSchedule;
  TimeNs added = 0;
  bool operator==(const DeviceTaint&) const = default;
};

// Counters of one shared set: what the set has, or what a device takes of it.
struct CounterSet {
  std::string name;
  DeviceAmounts counters;
  bool operator==(const CounterSet&) const = default;
};

// From where devices can be used; at most one of them is set. None: from no node.
struct DeviceNodes {
  std::string node;
  std::optional<std::vector<NodeSelectorTerm>> selector;  // any must match; an empty list: none
  bool all = false;
  bool operator==(const DeviceNodes&) const = default;
};

struct Device {
  std::string name;
  DeviceAttributes attributes;
  DeviceCapacities capacity;
  std::vector<CounterSet> consumes;  // of the shared sets of its pool
  DeviceNodes nodes;                 // where the slice says so: nodes_by_device
  std::vector<DeviceTaint> taints;
  bool binds_to_node = false;                   // whoever has it stays on its node
  std::vector<std::string> binding_conditions;  // all must hold before the pod is bound
  std::vector<std::string> binding_failures;    // any of them gives the allocation up
  bool shareable = false;                       // allowMultipleAllocations
  bool operator==(const Device&) const = default;
};

// Some devices of a pool. A pool is the slices of one driver and pool name of the highest
// generation, once as many of them are there as they say.
struct ResourceSliceRecord {
  ObjectMeta meta;
  std::string driver;
  std::string pool;
  std::int64_t generation = 0;
  std::int64_t slices_in_pool = 0;  // resourceSliceCount
  DeviceNodes nodes;
  bool nodes_by_device = false;  // perDeviceNodeSelection
  std::vector<Device> devices;
  std::vector<CounterSet> shared_counters;
  bool operator==(const ResourceSliceRecord&) const = default;
};

// What a driver is told of devices; the scheduler copies it into an allocation.
struct DeviceConfig {
  std::vector<std::string> requests;  // of a claim: for these only; empty: for all
  std::string driver;
  std::string parameters;  // JSON
  bool operator==(const DeviceConfig&) const = default;
};

struct DeviceClassRecord {
  ObjectMeta meta;
  std::vector<std::string> selectors;  // CEL expressions; all must be true
  std::vector<DeviceConfig> config;
  std::string extended_resource;  // that asks for a device of the class, too; empty: none
  bool operator==(const DeviceClassRecord&) const = default;
};

}  // namespace batholith
