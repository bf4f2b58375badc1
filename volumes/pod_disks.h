#pragma once

#include <vector>

#include "volumes/pod_needs.h"

namespace batholith {

// Whether one node cannot have both: they are one disk, and somebody writes to it (of
// awsElasticBlockStore: in any case).
bool DisksConflict(const PodDisk& a, const PodDisk& b);
// Whether the node lies in the zones and regions of all volumes.
bool IsInZones(const std::vector<VolumeZone>& zones, const NodeRecord& node);

}  // namespace batholith
