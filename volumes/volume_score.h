#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "volumes/volume_ledger.h"

namespace batholith {

// How good a node is whose volumes are used so far: straight lines between points.
struct VolumeShape {
  struct Point {
    std::int64_t utilization = 0;  // percent
    std::int64_t score = 0;        // 0 to 100
  };
  std::vector<Point> points;  // by utilization; empty: volumes are not scored

  // Source: BuildBrokenLinearFunction of kube-scheduler, whole numbers as there.
  std::int64_t At(std::int64_t utilization) const;
};

// The score of a node for a pod whose unbound claims would get these volumes there. For each class
// what its claims ask for, as a percentage of the volumes that they get, goes through the shape; of
// several classes the mean counts. Where no claim gets a volume that exists, those that are made
// count, against what the driver says is left there, without what the session has taken of it.
// Units: 0 to 100; 0 where nothing is known. Source: Score of kube-scheduler's VolumeBinding with
// StorageCapacityScoring, which does not know of the session.
std::int64_t ScoreVolumes(const VolumeFacts& facts, const VolumeLedger& ledger,
                          const VolumeShape& shape, std::span<const VolumeDecision> chosen);

}  // namespace batholith
