#include "volumes/volume_ledger.h"

#include <algorithm>

#include "api/check.h"

namespace batholith {

VolumeLedger::VolumeLedger(const VolumeFacts& facts)
    : facts_(facts),
      taken_(facts.objects().volumes.size()),
      used_(facts.objects().storage_capacities.size()) {}

const VolumeLedger::Decided* VolumeLedger::DecisionOf(ClaimId claim) const {
  const auto it = decided_.find(claim);
  return it == decided_.end() ? nullptr : &it->second;
}

void VolumeLedger::Mark(VolumeId volume, bool taken) {
  taken_[volume] = taken;
  for (const VolumeFacts::Place& place : facts_.PlacesOf(volume)) {
    VolumeGroup& group = *place.group;
    if (!taken) group.first_open = std::min(group.first_open, place.at);
    while (group.first_open < group.volumes.size() && taken_[group.volumes[group.first_open]])
      ++group.first_open;
  }
}

void VolumeLedger::Take(std::span<const VolumeDecision> decisions, std::uint32_t node) {
  for (const VolumeDecision& d : decisions) {
    ++version_;
    const auto [it, added] = decided_.try_emplace(d.claim, Decided{d, node, 0});
    ++it->second.users;
    if (!added) continue;
    if (d.volume != kNoId) Mark(d.volume, true);
    if (d.pool != kNoId) used_[d.pool] += facts_.claim(d.claim).request;
  }
}

void VolumeLedger::GiveBack(std::span<const VolumeDecision> decisions) {
  for (const VolumeDecision& d : decisions) {
    ++version_;
    const auto it = decided_.find(d.claim);
    CHECK(it != decided_.end());
    if (--it->second.users > 0) continue;
    const VolumeDecision& what = it->second.what;
    if (what.volume != kNoId) Mark(what.volume, false);
    if (what.pool != kNoId) used_[what.pool] -= facts_.claim(d.claim).request;
    decided_.erase(it);
  }
}

bool VolumeLedger::IsUsed(ClaimId claim, bool with_leaving) const {
  const auto it = users_.find(claim);
  if (it == users_.end()) return false;
  return it->second.all > (with_leaving ? 0 : it->second.leaving);
}

}  // namespace batholith
