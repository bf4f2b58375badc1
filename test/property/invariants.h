#pragma once

#include <string>
#include <vector>

#include "api/cluster_objects.h"
#include "api/effect.h"
#include "api/snapshot.h"
#include "framework/pipeline.h"

// What must hold of every session, computed again from the objects and the decisions alone: nothing
// of the scheduler's own sums is believed. Each returns one sentence for each violation; empty is
// good.
namespace batholith::property {

// A line for each eviction, reservation and bind, for messages.
std::string Decisions(const CycleResult& result);

// The same with all that they say, one text each, in their order: for comparing two sessions.
std::vector<std::string> DecisionLines(const CycleResult& result);

// Every bind names a pod of ours that waits, on a node that exists, and no pod is bound twice.
std::vector<std::string> CheckBindsAreLegal(const ClusterObjects& objects,
                                            const CycleResult& result);

// A node that got a pod holds what lies on it, in every resource that the new pods ask for. Pods
// that are being deleted, and those evicted in this session, still take up room.
std::vector<std::string> CheckNodesHold(const ClusterObjects& objects, const CycleResult& result);

// A job of which a pod was bound now has its minimum, and the minimum of each role. Its pods that
// ask for nothing count while they wait, as gang has it: any node with a free slot will do for
// them.
std::vector<std::string> CheckGangsWhole(const ClusterObjects& objects, const CycleResult& result);

// A queue that got pods stays within spec.capability and, where the result reports figures, within
// what its share plugin says it deserves, in every resource that the new pods ask for. REQUIRES: in
// the conf, allocate comes before the actions that evict.
std::vector<std::string> CheckQueuesHold(const ClusterObjects& objects, const CycleResult& result,
                                         const std::string& default_queue = "default");

// All of the above.
std::vector<std::string> CheckResult(const ClusterObjects& objects, const CycleResult& result);

// Replays the binds in their order over a fresh session and compares each with the exhaustive
// arg-max: of all nodes that pass every predicate and have idle room, the highest score, then the
// lowest index. REQUIRES: nothing was pipelined and no pod is nominated: the result does not tell
// when such a reservation was made. Cost: O(binds × nodes × plugins).
std::vector<std::string> CheckArgMax(const Snapshot& snapshot, const Pipeline& pipeline,
                                     const CycleResult& result);

}  // namespace batholith::property
