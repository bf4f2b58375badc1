#include "test/bench/scenario.h"

#include <array>

#include "test/bench/fill/fill.h"

namespace batholith::bench {
namespace {

constexpr std::string_view kEvict = "enqueue, reclaim";

constexpr std::array kScenarios{
    Scenario{"place", "all pods pending at once", Course::kSame, "", nullptr, Place},
    Scenario{"onefree", "nodes with one cpu free each, and pods of one cpu", Course::kSame, "",
             nullptr, OneFree},
    Scenario{"hierarchy", "all pods pending, queues in a tree with deserved amounts", Course::kSame,
             "", nullptr, Hierarchy, /*is_tree=*/true},
    Scenario{"trace", "nodes and pods of a trace (--trace, --pod-list, --scale)", Course::kSame, "",
             ShapeTrace, Trace},
    Scenario{"idle", "nothing to do: all pods run, nothing changes", Course::kLive, "", nullptr,
             Idle},
    Scenario{"delta", "all pods run but --changes, which come while as many go", Course::kLive, "",
             nullptr, Idle},
    Scenario{"hopeless", "pods that fit nowhere, again and again", Course::kLive, "", nullptr,
             Hopeless},
    Scenario{"arrive", "all pods run and one comes: seconds from its event to the decision",
             Course::kLive, "", [](Sizes& sizes) { sizes.changes = 1; }, Idle, false,
             /*to_decision=*/true},
    Scenario{"reclaim", "a queue takes back half of full nodes, 32 pods each", Course::kSame,
             kEvict, ShapeReclaim, Reclaim},
    Scenario{"reclaimloop", "the same with allocate, until nothing moves", Course::kUntilIdle,
             "enqueue, allocate, backfill, reclaim", ShapeReclaim, Reclaim},
    Scenario{"reclaim-large", "8 one-GPU pods on each node, a job of N/10 pods of 8 GPUs",
             Course::kSame, kEvict, ShapeReclaimLarge, ReclaimLarge},
    Scenario{"reclaim-many", "8 one-GPU pods on each node, as many jobs of one such pod wait",
             Course::kSame, kEvict, ShapeReclaimMany, ReclaimMany},
    Scenario{"preempt", "important pods on full nodes (8 running on each unless given)",
             Course::kSame, "enqueue, allocate, preempt", ShapePreempt, Preempt},
    Scenario{"affinity", "half with affinity to a zone, half with anti-affinity", Course::kSame, "",
             nullptr, Affinity},
    Scenario{"spread", "half must be level over zones, half would over nodes", Course::kSame, "",
             nullptr, Spread},
    Scenario{"affinity-required", "all in one zone", Course::kSame, "", nullptr, RequiredAffinity},
    Scenario{"anti-affinity-required", "a node for each", Course::kSame, "", nullptr,
             RequiredAntiAffinity},
    Scenario{"affinity-preferred", "rather on nodes that have one", Course::kSame, "", nullptr,
             PreferredAffinity},
    Scenario{"anti-affinity-preferred", "rather on nodes that have none", Course::kSame, "",
             nullptr, PreferredAntiAffinity},
    Scenario{"node-affinity", "in two of three zones", Course::kSame, "", nullptr, NodeAffinity},
    Scenario{"spread-required", "level over zones within 5", Course::kSame, "", nullptr,
             RequiredSpread},
    Scenario{"spread-preferred", "rather level over zones", Course::kSame, "", nullptr,
             PreferredSpread},
    Scenario{"volumes", "all pods pending, a claim each whose volume is made with its node",
             Course::kSame, "", nullptr, Volumes},
    Scenario{"devices", "all pods pending, a claim each for one of --devices devices of a node",
             Course::kSame, "", ShapeDevices, Devices},
    Scenario{"topology", "gangs that each stay in one HyperNode, of tiers in turn", Course::kSame,
             "", ShapeTopology, Topology, false, false, "network-topology-aware"},
    Scenario{"coldstart",
             "a scheduler that starts is told --running and --pods, 58 groups for 100 "
             "pods",
             Course::kColdStart, "", ShapeColdStart, ColdStart, false,
             /*to_decision=*/true},
    Scenario{"ingest", "JSON of nodes and pods becomes records of a live cluster", Course::kIngest,
             "", nullptr, Idle},
    Scenario{"memory", "bytes of a node and a pod, allocations of a session", Course::kMemory, "",
             nullptr, Place},
    Scenario{"soak", "pods come at --rate a second and go, for --duration seconds", Course::kSoak,
             "", nullptr, Idle, false, /*to_decision=*/true},
};

}  // namespace

std::span<const Scenario> Scenarios() { return kScenarios; }

std::string_view WarmupOf(Course course) {
  switch (course) {
    case Course::kSame:
      return "the machine's caches only: every session starts from the same records";
    case Course::kUntilIdle:
      return "the machine's caches only: every series starts from the same records";
    case Course::kLive:
      return "the live cluster: what its sessions decided is done when the measured ones start";
    case Course::kColdStart:
      return "the machine's caches only: every start is told everything anew";
    case Course::kIngest:
      return "the machine's caches only: every pass fills a new cluster";
    case Course::kMemory:
      return "the live cluster after its first sessions";
    case Course::kSoak:
      return "the live cluster for the first tenth of the duration";
  }
  return "";
}

}  // namespace batholith::bench
