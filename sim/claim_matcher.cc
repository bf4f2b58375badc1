#include "sim/claim_matcher.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "api/volume_match.h"

namespace batholith {
namespace {

constexpr std::size_t kMostLooks = 20'000'000;

// Of the class and size that the claim asks for.
bool IsAskedFor(const PersistentVolumeRecord& volume, const PersistentVolumeClaimRecord& claim) {
  return volume.capacity >= claim.request && volume.storage_class == ClassNameOf(claim);
}

}  // namespace

bool WaitsForPod(const StorageClassRecord* storage, const PersistentVolumeClaimRecord& claim) {
  return storage != nullptr && storage->waits_for_pod && claim.volume.empty();
}

ClaimMatcher::ClaimMatcher(const ClusterObjects& objects)
    : objects_(objects), taken_(objects.volumes.size()) {
  for (const StorageClassRecord& storage : objects.storage_classes)
    classes_.emplace(storage.meta.name, &storage);
  for (std::size_t v = 0; v < objects.volumes.size(); ++v) {
    const PersistentVolumeRecord& volume = objects.volumes[v];
    by_name_.emplace(volume.meta.name, v);
    if (volume.claim) {
      kept_[volume.claim->Key()].push_back(v);
    } else if (volume.phase == VolumePhase::kAvailable) {
      open_[volume.storage_class].push_back(v);
    }
  }
  for (auto& [storage, volumes] : open_) {
    std::ranges::sort(volumes, [&](std::size_t a, std::size_t b) {
      return std::tie(objects.volumes[a].capacity, objects.volumes[a].meta.name) <
             std::tie(objects.volumes[b].capacity, objects.volumes[b].meta.name);
    });
  }
}

ClaimMatcher::Match ClaimMatcher::Take(std::size_t volume) {
  taken_[volume] = true;
  return {nullptr, volume};
}

std::optional<ClaimMatcher::Match> ClaimMatcher::Find(const PersistentVolumeClaimRecord& claim) {
  if (claim.bound() || claim.meta.deleting || claim.phase == ClaimPhase::kLost) return std::nullopt;
  if (!claim.volume.empty()) return FindNamed(claim);
  const auto storage = classes_.find(ClassNameOf(claim));
  const StorageClassRecord* record = storage == classes_.end() ? nullptr : storage->second;
  if (WaitsForPod(record, claim)) return std::nullopt;
  if (const auto kept = FindKept(claim)) return kept;
  if (const auto open = FindOpen(claim)) return open;
  if (looks_ >= kMostLooks) return std::nullopt;  // there may be one that was not looked at
  const bool provisions = record != nullptr && !record->provisioner.empty() &&
                          record->provisioner != kNoProvisioner && !claim.selector;
  return provisions ? std::optional(Match{record, 0}) : std::nullopt;
}

std::optional<ClaimMatcher::Match> ClaimMatcher::FindNamed(
    const PersistentVolumeClaimRecord& claim) {
  const auto named = by_name_.find(claim.volume);
  if (named == by_name_.end() || taken_[named->second]) return std::nullopt;
  const PersistentVolumeRecord& volume = objects_.volumes[named->second];
  if (volume.claim) {
    return IsKeptFor(volume, claim) ? std::optional(Take(named->second)) : std::nullopt;
  }
  const bool good =
      IsAskedFor(volume, claim) && IsGoodFor(volume, claim) && HasModes(volume, claim);
  return good ? std::optional(Take(named->second)) : std::nullopt;
}

std::optional<ClaimMatcher::Match> ClaimMatcher::FindKept(
    const PersistentVolumeClaimRecord& claim) {
  const auto kept = kept_.find(claim.meta.Key());
  if (kept == kept_.end()) return std::nullopt;
  for (const std::size_t v : kept->second) {
    const PersistentVolumeRecord& volume = objects_.volumes[v];
    if (!taken_[v] && IsKeptFor(volume, claim) && IsAskedFor(volume, claim) &&
        IsGoodFor(volume, claim))
      return Take(v);
  }
  return std::nullopt;
}

std::optional<ClaimMatcher::Match> ClaimMatcher::FindOpen(
    const PersistentVolumeClaimRecord& claim) {
  const auto open = open_.find(ClassNameOf(claim));
  if (open == open_.end()) return std::nullopt;
  const std::vector<std::size_t>& volumes = open->second;
  auto it = std::ranges::lower_bound(volumes, claim.request, {},
                                     [&](std::size_t v) { return objects_.volumes[v].capacity; });
  for (; it != volumes.end() && looks_ < kMostLooks; ++it, ++looks_) {
    if (!taken_[*it] && MayBeGivenTo(objects_.volumes[*it], claim)) return Take(*it);
  }
  return std::nullopt;
}

}  // namespace batholith
