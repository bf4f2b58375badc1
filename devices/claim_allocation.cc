#include "devices/claim_allocation.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace batholith {
namespace {

// FNV-1a.
std::uint64_t HashOf(std::string_view text, std::uint64_t hash) {
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3ULL;
  }
  return hash;
}

// A UUID of its own for each share of a device, the same whoever works it out.
std::string ShareIdOf(const ResourceClaimRecord& claim, const AllocatedDevice& device,
                      std::size_t place) {
  const std::string what = fmt::format("{}\n{}\n{}\n{}\n{}\n{}", claim.meta.uid, claim.meta.Key(),
                                       device.driver, device.pool, device.device, place);
  const std::uint64_t a = HashOf(what, 0xcbf29ce484222325ULL);
  const std::uint64_t b = HashOf(what, a ^ 0x9e3779b97f4a7c15ULL);
  return fmt::format("{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}", a >> 32U, a >> 16U & 0xffffU,
                     a & 0xfffU, 0x8000U | (b >> 48U & 0x3fffU), b & 0xffffffffffffULL);
}

std::string FullNameOf(const DeviceRequest& request, const DeviceAsk& ask) {
  return ask.name.empty() ? request.name : request.name + "/" + ask.name;
}

AllocatedDevice ResultOf(const DevicePick& pick, std::span<const ClaimPlan* const> claims,
                         const DevicePools& pools) {
  const RequestPlan& request = claims[pick.claim]->requests[pick.request];
  const DeviceAsk& ask = *request.asks[pick.ask].ask;
  const Device& device = pools.device(pick.device);
  AllocatedDevice out;
  out.request = FullNameOf(*request.request, ask);
  out.driver = pools.PoolOf(pick.device).driver;
  out.pool = pools.PoolOf(pick.device).name;
  out.device = device.name;
  out.admin_access = ask.admin_access;
  out.tolerations = ask.tolerations;
  out.binding_conditions = device.binding_conditions;
  out.binding_failures = device.binding_failures;
  if (!device.shareable) return out;
  const GivenDevice given = GivenOf(pick, claims, pools);
  std::size_t i = 0;
  for (const auto& [name, capacity] : device.capacity) out.consumed[name] = given.consumed[i++];
  return out;
}

void AddNew(const std::vector<Requirement>& from, std::vector<Requirement>& to) {
  for (const Requirement& requirement : from) {
    if (std::ranges::find(to, requirement) == to.end()) to.push_back(requirement);
  }
}

NodeSelectorTerm OnlyOn(const std::string& node) {
  return {{}, {{"metadata.name", Requirement::Op::kIn, {node}}}};
}

// From where all of the devices can be used; absent: from everywhere.
std::optional<std::vector<NodeSelectorTerm>> NodesOf(std::span<const DeviceId> devices,
                                                     const DevicePools& pools,
                                                     const NodeRecord& node) {
  NodeSelectorTerm all;
  for (const DeviceId device : devices) {
    const DeviceNodes& nodes = pools.NodesOf(device);
    if (!nodes.node.empty()) return {{OnlyOn(nodes.node)}};
    if (pools.device(device).binds_to_node) return {{OnlyOn(node.meta.name)}};
    if (!nodes.selector || nodes.selector->empty()) continue;
    AddNew(nodes.selector->front().expressions, all.expressions);
    AddNew(nodes.selector->front().fields, all.fields);
  }
  if (all == NodeSelectorTerm()) return std::nullopt;
  return {{std::move(all)}};
}

bool IsMeant(const DeviceConfig& config, const AllocatedDevice& device) {
  return std::ranges::any_of(config.requests, [&](std::string_view name) {
    return name == device.request ||
           (device.request.size() > name.size() && device.request.starts_with(name) &&
            device.request[name.size()] == '/');
  });
}

}  // namespace

DeviceAllocation AllocationOf(std::span<const DevicePick> picks,
                              std::span<const ClaimPlan* const> claims, std::uint32_t claim,
                              const ResourceClaimRecord& record, const DevicePools& pools,
                              const NodeRecord& node) {
  DeviceAllocation out;
  std::vector<DeviceId> devices;
  const ClaimPlan& plan = *claims[claim];
  std::vector<std::pair<std::uint32_t, std::uint32_t>> served;  // requests and their asks
  for (const DevicePick& pick : picks) {
    if (pick.claim != claim) continue;
    AllocatedDevice& result = out.devices.emplace_back(ResultOf(pick, claims, pools));
    if (pools.device(pick.device).shareable)
      result.share_id = ShareIdOf(record, result, out.devices.size());
    devices.push_back(pick.device);
    if (served.empty() || served.back().first != pick.request)
      served.emplace_back(pick.request, pick.ask);
  }
  for (const auto& [request, ask] : served) {
    const AskPlan& asked = plan.requests[request].asks[ask];
    for (const DeviceConfig& config : asked.device_class->config) {
      DeviceConfig named = config;
      named.requests = {FullNameOf(*plan.requests[request].request, *asked.ask)};
      out.config.push_back({true, std::move(named)});
    }
  }
  for (const DeviceConfig& config : record.spec.config) {
    const auto is_meant = [&](const AllocatedDevice& device) { return IsMeant(config, device); };
    if (config.requests.empty() || std::ranges::any_of(out.devices, is_meant))
      out.config.push_back({false, config});
  }
  out.nodes = NodesOf(devices, pools, node);
  return out;
}

}  // namespace batholith
