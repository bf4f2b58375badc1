#pragma once

#include <string>

#include "api/snapshot.h"

namespace batholith::property {

// The first difference between two snapshots of equal objects, in words; empty: they are the same
// but for the numbers of their base classes.
std::string DifferenceOfSnapshots(const Snapshot& got, const Snapshot& want);

}  // namespace batholith::property
