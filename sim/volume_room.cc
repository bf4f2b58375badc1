#include "sim/volume_room.h"

#include <algorithm>
#include <string_view>

#include "api/label_match.h"
#include "api/value_text.h"

namespace batholith {
namespace {

constexpr std::string_view kWholeMaximum = "simulation.batholith.dev/maximum-volume";

// The largest volume is as large as the driver once said, where there is room for it.
void LimitMaximum(CsiStorageCapacityRecord& pool) {
  if (!pool.maximum_volume) return;
  const auto whole = pool.meta.annotations.Edit().try_emplace(std::string(kWholeMaximum),
                                                              std::to_string(*pool.maximum_volume));
  const auto bytes = ParseNumber<std::int64_t>(whole.first->second);
  pool.maximum_volume = std::min(bytes.value_or(INT64_MAX), *pool.capacity);
}

}  // namespace

CsiStorageCapacityRecord* TakeRoom(const PersistentVolumeClaimRecord& claim, const NodeRecord& node,
                                   ClusterObjects& objects) {
  CsiStorageCapacityRecord* from = nullptr;
  for (CsiStorageCapacityRecord& pool : objects.storage_capacities) {
    if (!claim.storage_class || pool.storage_class != *claim.storage_class) continue;
    if (!MatchesSelector(pool.nodes, node.meta.labels)) continue;
    if (pool.maximum_volume.value_or(pool.capacity.value_or(0)) < claim.request) continue;
    if (from == nullptr || pool.meta.Key() < from->meta.Key()) from = &pool;
  }
  if (from == nullptr || !from->capacity) return from;
  *from->capacity = std::max<std::int64_t>(*from->capacity - claim.request, 0);
  LimitMaximum(*from);
  return from;
}

void GiveRoomBack(const std::string& capacity, std::int64_t bytes, ClusterObjects& objects) {
  const auto pool = std::ranges::find_if(
      objects.storage_capacities,
      [&](const CsiStorageCapacityRecord& record) { return record.meta.Key() == capacity; });
  if (pool == objects.storage_capacities.end() || !pool->capacity) return;
  *pool->capacity += std::min(bytes, INT64_MAX - *pool->capacity);
  LimitMaximum(*pool);
}

}  // namespace batholith
