#pragma once

#include "test/property/random_volumes.h"

namespace batholith::property {

// Adds records of all kinds that claims for devices come from, and such claims to the pods.
void AddRandomDevices(const RandomParts& parts, ClusterObjects& objects);

}  // namespace batholith::property
