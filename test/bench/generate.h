#pragma once

#include <cstddef>
#include <cstdint>

#include "api/cluster_objects.h"

// Clusters for benchmarks. The same sizes and seed give the same objects, so a figure can be
// repeated by its command line alone.
namespace batholith::bench {

struct Sizes {
  std::size_t nodes = 1000;
  std::size_t pods = 10000;
  std::size_t gang = 10;
  std::size_t classes =
      1;  // 1: every pod asks for 1 cpu and 2Gi; more: that many different requests
  std::size_t queues = 10;
  std::size_t namespaces = 1;
  std::size_t running = 0;  // pods that run already, spread over the nodes
  std::uint64_t seed = 1;
};

// Everything pending at once: nodes of 32 cpu, 128Gi and 110 pods in 3 zones, pods in gangs, gangs
// dealt out over queues and namespaces. REQUIRES: gang, classes, queues and namespaces are at least
// 1, nodes too when any pod runs.
ClusterObjects GeneratePlace(const Sizes& sizes);

}  // namespace batholith::bench
