#include "volumes/pod_disks.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "volumes/holds.h"

namespace batholith {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kBetaToGeneral{
    {{"failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"},
     {"failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"}}};

bool ShareAny(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::ranges::any_of(a, [&](const std::string& text) { return Holds(b, text); });
}

const std::string* LabelFor(std::string_view key, const NodeRecord& node) {
  const auto it = node.meta.labels->find(key);
  if (it != node.meta.labels->end()) return &it->second;
  for (const auto& [beta, general] : kBetaToGeneral) {
    if (beta == key) return LabelFor(general, node);
  }
  return nullptr;
}

bool HasAnyZone(const NodeRecord& node) {
  return std::ranges::any_of(kBetaToGeneral, [&](const auto& names) {
    return node.meta.labels->contains(names.first) || node.meta.labels->contains(names.second);
  });
}

}  // namespace

bool DisksConflict(const PodDisk& a, const PodDisk& b) {
  if (a.kind != b.kind || a.id != b.id || a.kind > PodDisk::Kind::kRbd) return false;
  if (a.kind == PodDisk::Kind::kAwsElasticBlockStore) return true;
  if (a.read_only && b.read_only) return false;
  return a.kind != PodDisk::Kind::kRbd || (a.pool == b.pool && ShareAny(a.monitors, b.monitors));
}

bool IsInZones(const std::vector<VolumeZone>& zones, const NodeRecord& node) {
  if (zones.empty() || !HasAnyZone(node)) return true;
  return std::ranges::all_of(zones, [&](const VolumeZone& zone) {
    const std::string* value = LabelFor(zone.key, node);
    return value != nullptr && Holds(zone.values, *value);
  });
}

}  // namespace batholith
