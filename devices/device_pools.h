#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/devices.h"

namespace batholith {

using DeviceId = std::uint32_t;  // its place among all devices, in the order of the search
inline constexpr std::uint32_t kNoDevice = UINT32_MAX;

// A device takes so much of a counter that devices of its pool share.
struct CounterUse {
  std::uint32_t counter = 0;
  DeviceAmount amount = 0;
};

struct DevicePool {
  std::string_view driver;
  std::string_view name;
  bool waits = false;       // some device has conditions that must hold before a pod is bound
  bool incomplete = false;  // slices of its generation are missing
  std::string fault;        // why none of its devices can be given; empty: they can
  bool local = true;        // each slice is one node's own
};

// The devices that drivers offer: of each pool the slices of its highest generation. Pools are in
// the order of drivers and names, those with binding conditions last; slices in the order of their
// names, devices as they are listed. Nothing here changes within a session; it refers to the
// slices and nodes. Nodes are numbered by their place in the list.
class DevicePools {
 public:
  // Cost: O(slices × log + devices), and for each node selector O(nodes).
  DevicePools(std::span<const ResourceSliceRecord> slices,
              std::span<const NodeRecord* const> nodes);

  struct Slice {
    const ResourceSliceRecord* record = nullptr;
    std::uint32_t pool = 0;
    DeviceId first = 0;  // of its devices, which are numbered one after the other
  };

  std::size_t device_count() const { return devices_.size(); }
  std::size_t counter_count() const { return counters_.size(); }
  const Device& device(DeviceId id) const { return *devices_[id].record; }
  const Slice& SliceOf(DeviceId id) const { return slices_[devices_[id].slice]; }
  const Slice& slice(std::uint32_t s) const { return slices_[s]; }
  const DevicePool& pool(std::uint32_t p) const { return pools_[p]; }
  const DevicePool& PoolOf(DeviceId id) const { return pools_[SliceOf(id).pool]; }
  // Where the device can be used from.
  const DeviceNodes& NodesOf(DeviceId id) const {
    const ResourceSliceRecord& record = *SliceOf(id).record;
    return record.nodes_by_device ? device(id).nodes : record.nodes;
  }

  // The slices that the node sees, in the order of the search.
  std::span<const std::uint32_t> SlicesOf(std::uint32_t node) const { return by_node_[node]; }
  // Of a device in a slice that the node sees.
  bool IsUsableFrom(DeviceId id, std::uint32_t node) const;
  // kNoDevice: no slice has it.
  DeviceId Find(std::string_view driver, std::string_view pool, std::string_view device) const;

  std::span<const CounterUse> UsesOf(DeviceId id) const {
    return std::span(uses_).subspan(devices_[id].first_use, devices_[id].use_count);
  }
  DeviceAmount CounterSize(std::uint32_t counter) const { return counters_[counter]; }
  // Each pool is one node's own: what happens on one node concerns no other.
  bool AllLocal() const { return all_local_; }

 private:
  struct Entry {
    const Device* record = nullptr;
    std::uint32_t slice = 0;
    std::uint32_t nodes = 0;  // where the slice says so: its set of nodes
    std::uint32_t first_use = 0;
    std::uint32_t use_count = 0;
  };
  using NodeBits = std::vector<bool>;

  void SortSlices(std::span<const ResourceSliceRecord> slices);
  void FillPool(std::uint32_t first, std::uint32_t last);
  void AddDevices(std::uint32_t slice, std::unordered_map<std::string_view, DeviceId>& names,
                  const std::unordered_map<std::string, std::uint32_t>& counters, DevicePool& pool);
  void AddUses(const Device& device, const std::unordered_map<std::string, std::uint32_t>& counters,
               DevicePool& pool);
  void FindNodes();
  std::uint32_t SetOf(const DeviceNodes& nodes);

  std::span<const NodeRecord* const> nodes_;
  std::unordered_map<std::string_view, std::uint32_t> node_names_;
  std::vector<DevicePool> pools_;
  std::vector<Slice> slices_;
  std::vector<Entry> devices_;
  std::vector<CounterUse> uses_;
  std::vector<DeviceAmount> counters_;
  std::vector<std::vector<std::uint32_t>> by_node_;
  std::vector<NodeBits> sets_;
  std::unordered_map<std::string, std::uint32_t> known_sets_;
  std::unordered_map<std::string, DeviceId> by_name_;
  bool all_local_ = true;
};

}  // namespace batholith
