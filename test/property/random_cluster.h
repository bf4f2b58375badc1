#pragma once

#include <cstdint>

#include "api/cluster_objects.h"

namespace batholith::property {

struct RandomClusterOptions {
  bool running = true;      // some pods run already, also beyond what their queue deserves
  bool releasing = true;    // some of those are being deleted
  bool constraints = true;  // selectors, taints, affinity, spread, ports
  bool gates = true;
  bool full = false;  // three times the jobs, most of which run
  int nodes = 0;      // 0: a random number
};

// A small cluster with a bit of everything: 1 to 10 nodes (one in thirty: up to 60), 1 to 4 queues,
// up to about 60 pods. The same seed gives the same objects. Every object has a creation time and a
// uid of its own; nodes are never over-committed at the start, and pods that run respect their own
// required constraints only by chance, as after a label has changed.
ClusterObjects RandomCluster(std::uint64_t seed, const RandomClusterOptions& options = {});

// The same objects in another order of input.
ClusterObjects Shuffled(ClusterObjects objects, std::uint64_t seed);

}  // namespace batholith::property
