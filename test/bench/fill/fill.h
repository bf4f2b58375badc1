#pragma once

#include <string>

#include "test/bench/cluster_maker.h"

// What stands in the cluster of each scenario, and the sizes that its own rule gives.
namespace batholith::bench {

// Jobs of the usual kind in every queue, pending.
Batch Jobs(ClusterMaker& maker, const Sizes& sizes, std::string prefix, std::size_t pods);
// Queues, namespaces, quotas, nodes, and pods of the usual kind that run.
void AddGround(ClusterMaker& maker, const Sizes& sizes, std::size_t running);

void Place(ClusterMaker& maker, const Sizes& sizes);
void Idle(ClusterMaker& maker, const Sizes& sizes);
void Hopeless(ClusterMaker& maker, const Sizes& sizes);
void OneFree(ClusterMaker& maker, const Sizes& sizes);
void Hierarchy(ClusterMaker& maker, const Sizes& sizes);
// HyperNodes of 16 nodes or 16 HyperNodes each, and jobs that need one of each tier in turn.
void Topology(ClusterMaker& maker, const Sizes& sizes);
void ShapeTopology(Sizes& sizes);
void ColdStart(ClusterMaker& maker, const Sizes& sizes);
void ShapeColdStart(Sizes& sizes);
// Nodes and pods of a trace, `scale` times; its jobs are so many pods in a row as a gang has.
void Trace(ClusterMaker& maker, const Sizes& sizes);
void ShapeTrace(Sizes& sizes);

void Volumes(ClusterMaker& maker, const Sizes& sizes);
void Devices(ClusterMaker& maker, const Sizes& sizes);
void ShapeDevices(Sizes& sizes);

// Who has the cluster in scenarios where somebody has to go.
void ShapeReclaim(Sizes& sizes);
void Reclaim(ClusterMaker& maker, const Sizes& sizes);
void ShapeReclaimLarge(Sizes& sizes);
void ReclaimLarge(ClusterMaker& maker, const Sizes& sizes);
void ShapeReclaimMany(Sizes& sizes);
void ReclaimMany(ClusterMaker& maker, const Sizes& sizes);
void ShapePreempt(Sizes& sizes);
void Preempt(ClusterMaker& maker, const Sizes& sizes);

// Constraints between pods. The first two have two kinds of jobs in turn; the others are rows of
// kube-scheduler's own scheduler_perf, where the pods that run have the constraint too.
void Affinity(ClusterMaker& maker, const Sizes& sizes);
void Spread(ClusterMaker& maker, const Sizes& sizes);
void RequiredAffinity(ClusterMaker& maker, const Sizes& sizes);
void RequiredAntiAffinity(ClusterMaker& maker, const Sizes& sizes);
void PreferredAffinity(ClusterMaker& maker, const Sizes& sizes);
void PreferredAntiAffinity(ClusterMaker& maker, const Sizes& sizes);
void NodeAffinity(ClusterMaker& maker, const Sizes& sizes);
void RequiredSpread(ClusterMaker& maker, const Sizes& sizes);
void PreferredSpread(ClusterMaker& maker, const Sizes& sizes);

inline constexpr std::int64_t kNodeCpu = 32'000;
inline constexpr std::int64_t kNodeMemory = std::int64_t{128} << 30;
inline constexpr std::int64_t kGpusOfNode = 8;
inline constexpr const char* kGpu = "nvidia.com/gpu";
inline constexpr const char* kHost = "kubernetes.io/hostname";
inline constexpr const char* kZone = "topology.kubernetes.io/zone";

}  // namespace batholith::bench
