#include "devices/device_pools.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "api/node_match.h"

namespace batholith {
namespace {

// Names hold no control characters.
std::string Joined(std::string_view a, std::string_view b, std::string_view c = {}) {
  std::string out(a);
  out += '\n';
  out += b;
  out += '\n';
  out += c;
  return out;
}

bool HasBindingConditions(const ResourceSliceRecord& slice) {
  return std::ranges::any_of(
      slice.devices, [](const Device& device) { return !device.binding_conditions.empty(); });
}

void AppendRequirements(const std::vector<Requirement>& requirements, std::string& out) {
  for (const Requirement& r : requirements) {
    out += r.key;
    out += '\n';
    out += static_cast<char>('a' + static_cast<int>(r.op));
    for (const std::string& value : r.values) {
      out += value;
      out += ',';
    }
    out += '\n';
  }
}

std::string SignatureOf(const DeviceNodes& nodes) {
  std::string out;
  if (!nodes.selector) return out;
  for (const NodeSelectorTerm& term : *nodes.selector) {
    AppendRequirements(term.expressions, out);
    out += '\f';
    AppendRequirements(term.fields, out);
    out += '\v';
  }
  return out;
}

}  // namespace

DevicePools::DevicePools(std::span<const ResourceSliceRecord> slices,
                         std::span<const NodeRecord* const> nodes)
    : nodes_(nodes), by_node_(nodes.size()) {
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) node_names_.emplace(nodes_[n]->meta.name, n);
  SortSlices(slices);
  for (std::uint32_t first = 0; first < slices_.size();) {
    std::uint32_t last = first;
    while (last < slices_.size() && slices_[last].pool == slices_[first].pool) ++last;
    FillPool(first, last);
    first = last;
  }
  FindNodes();
}

// Leaves those of each pool's highest generation.
void DevicePools::SortSlices(std::span<const ResourceSliceRecord> slices) {
  struct Found {
    std::int64_t generation;
    bool waits = false;
  };
  std::unordered_map<std::string, Found> pools;
  const auto key_of = [](const ResourceSliceRecord& s) { return Joined(s.driver, s.pool); };
  for (const ResourceSliceRecord& slice : slices) {
    const auto [it, added] = pools.try_emplace(key_of(slice), Found{slice.generation});
    it->second.generation = std::max(it->second.generation, slice.generation);
  }
  std::vector<std::pair<Found*, const ResourceSliceRecord*>> used;
  for (const ResourceSliceRecord& slice : slices) {
    Found& found = pools.find(key_of(slice))->second;
    if (slice.generation != found.generation) continue;
    found.waits = found.waits || HasBindingConditions(slice);
    used.emplace_back(&found, &slice);
  }
  std::ranges::sort(used, {}, [](const auto& of) {
    const ResourceSliceRecord& s = *of.second;
    return std::tuple(of.first->waits, std::string_view(s.driver), std::string_view(s.pool),
                      std::string_view(s.meta.name));
  });
  for (std::size_t i = 0; i < used.size(); ++i) {
    const auto& [found, slice] = used[i];
    if (i == 0 || used[i - 1].first != found)
      pools_.push_back({slice->driver, slice->pool, found->waits, false, {}, true});
    slices_.push_back({slice, static_cast<std::uint32_t>(pools_.size() - 1), 0});
  }
}

void DevicePools::FillPool(std::uint32_t first, std::uint32_t last) {
  DevicePool& pool = pools_[slices_[first].pool];
  pool.incomplete = slices_[first].record->slices_in_pool != last - first;
  std::unordered_map<std::string, std::uint32_t> counters;
  std::unordered_map<std::string_view, const ResourceSliceRecord*> sets;
  const auto fail = [&](std::string why) {
    if (pool.fault.empty()) pool.fault = std::move(why);
  };
  for (std::uint32_t s = first; s < last; ++s) {
    const ResourceSliceRecord& record = *slices_[s].record;
    if (!record.meta.flaw.empty())
      fail("ResourceSlice " + record.meta.name + " could not be read: " + record.meta.flaw);
    if (record.nodes_by_device || record.nodes.node.empty()) pool.local = false;
    if (record.nodes.node != slices_[first].record->nodes.node) pool.local = false;
    for (const CounterSet& set : record.shared_counters) {
      if (!sets.emplace(set.name, &record).second)
        fail("counter set " + set.name + " is there twice");
      for (const auto& [name, amount] : set.counters) {
        counters.emplace(Joined(set.name, name), static_cast<std::uint32_t>(counters_.size()));
        counters_.push_back(amount);
      }
    }
  }
  all_local_ = all_local_ && pool.local;
  std::unordered_map<std::string_view, DeviceId> names;
  for (std::uint32_t s = first; s < last; ++s) AddDevices(s, names, counters, pool);
}

void DevicePools::AddDevices(std::uint32_t slice,
                             std::unordered_map<std::string_view, DeviceId>& names,
                             const std::unordered_map<std::string, std::uint32_t>& counters,
                             DevicePool& pool) {
  slices_[slice].first = static_cast<DeviceId>(devices_.size());
  const ResourceSliceRecord& record = *slices_[slice].record;
  for (const Device& device : record.devices) {
    const auto id = static_cast<DeviceId>(devices_.size());
    Entry entry{&device, slice, 0, static_cast<std::uint32_t>(uses_.size()), 0};
    if (record.nodes_by_device) entry.nodes = SetOf(device.nodes);
    AddUses(device, counters, pool);
    entry.use_count = static_cast<std::uint32_t>(uses_.size()) - entry.first_use;
    devices_.push_back(entry);
    if (!names.emplace(device.name, id).second && pool.fault.empty())
      pool.fault = "device " + device.name + " is there twice";
    by_name_.emplace(Joined(pool.driver, pool.name, device.name), id);
  }
}

void DevicePools::AddUses(const Device& device,
                          const std::unordered_map<std::string, std::uint32_t>& counters,
                          DevicePool& pool) {
  std::set<std::string_view> sets;
  for (const CounterSet& set : device.consumes) {
    if (!sets.insert(set.name).second) {
      if (pool.fault.empty())
        pool.fault = "device " + device.name + " takes of counter set " + set.name + " twice";
      continue;
    }
    for (const auto& [name, amount] : set.counters) {
      const auto counter = counters.find(Joined(set.name, name));
      if (counter != counters.end()) {
        uses_.push_back({counter->second, amount});
      } else if (pool.fault.empty() && !pool.incomplete) {
        pool.fault = "device " + device.name + " takes of counter " + name + " of counter set " +
                     set.name + ", which is not there";
      }
    }
  }
}

// A number for each set of nodes; the same for the same selector.
std::uint32_t DevicePools::SetOf(const DeviceNodes& nodes) {
  std::string key = "none";
  if (!nodes.node.empty()) {
    key = "node " + nodes.node;
  } else if (nodes.all) {
    key = "all";
  } else if (nodes.selector) {
    key = "selector " + SignatureOf(nodes);
  }
  const auto [it, added] =
      known_sets_.try_emplace(std::move(key), static_cast<std::uint32_t>(sets_.size()));
  if (!added) return it->second;
  NodeBits bits(nodes_.size());
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    if (!nodes.node.empty()) {
      bits[n] = nodes_[n]->meta.name == nodes.node;
    } else {
      bits[n] = nodes.all || (nodes.selector && MatchesAnyTerm(*nodes.selector, *nodes_[n]));
    }
  }
  sets_.push_back(std::move(bits));
  return it->second;
}

void DevicePools::FindNodes() {
  for (std::uint32_t s = 0; s < slices_.size(); ++s) {
    const ResourceSliceRecord& record = *slices_[s].record;
    if (!record.nodes_by_device && !record.nodes.node.empty()) {
      const auto node = node_names_.find(record.nodes.node);
      if (node != node_names_.end()) by_node_[node->second].push_back(s);
      continue;
    }
    const std::uint32_t set = record.nodes_by_device ? 0 : SetOf(record.nodes);
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      bool sees = !record.nodes_by_device && sets_[set][n];
      for (std::size_t d = 0; record.nodes_by_device && d < record.devices.size() && !sees; ++d)
        sees = sets_[devices_[slices_[s].first + d].nodes][n];
      if (sees) by_node_[n].push_back(s);
    }
  }
}

bool DevicePools::IsUsableFrom(DeviceId id, std::uint32_t node) const {
  return !SliceOf(id).record->nodes_by_device || sets_[devices_[id].nodes][node];
}

DeviceId DevicePools::Find(std::string_view driver, std::string_view pool,
                           std::string_view device) const {
  const auto it = by_name_.find(Joined(driver, pool, device));
  return it == by_name_.end() ? kNoDevice : it->second;
}

}  // namespace batholith
