#pragma once

#include <string_view>

#include "api/volumes.h"

// What a volume and a claim say of each other, as far as their records tell.
namespace batholith {

// The class that the claim names; empty: none.
std::string_view ClassNameOf(const PersistentVolumeClaimRecord& claim);

// The volume is kept for just this claim.
bool IsKeptFor(const PersistentVolumeRecord& volume, const PersistentVolumeClaimRecord& claim);
// What a volume must be for a claim even where it is kept for it, but for its class and size.
bool IsGoodFor(const PersistentVolumeRecord& volume, const PersistentVolumeClaimRecord& claim);
// Every way in which the claim wants to use it.
bool HasModes(const PersistentVolumeRecord& volume, const PersistentVolumeClaimRecord& claim);
// A volume that is kept for nobody may be given to the claim, but for its class and size.
bool MayBeGivenTo(const PersistentVolumeRecord& volume, const PersistentVolumeClaimRecord& claim);

}  // namespace batholith
