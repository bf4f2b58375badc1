#pragma once

#include <cstdint>

#include "api/cluster_objects.h"

namespace batholith::property {

// Objects that are nobody's business: a cluster with one of them more must be decided as before.
// Where it stands among its like is drawn, so every index may be shifted by it.

// A node without a machine: not ready, closed to pods, nothing allocatable, no labels.
ClusterObjects WithIrrelevantNode(ClusterObjects objects, std::uint64_t seed);
// An open queue that nobody names, without guarantee or deserved share. In a tree it is a leaf
// below the root.
ClusterObjects WithIrrelevantQueue(ClusterObjects objects, std::uint64_t seed);
// A pod of another scheduler in a namespace of its own. Its labels are nobody's, and it asks for
// what some pod of the cluster asks for already.
enum class Idle : std::uint8_t { kFinished, kWaiting };
ClusterObjects WithIrrelevantPod(ClusterObjects objects, Idle idle, std::uint64_t seed);

}  // namespace batholith::property
