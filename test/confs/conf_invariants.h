#pragma once

#include <string>
#include <vector>

#include "api/cluster_objects.h"
#include "api/effect.h"
#include "test/confs/conf_traits.h"

// What must hold of a session under any conf, each as far as the conf asks for it. Computed again
// from the objects and the decisions alone. A sentence for each violation; empty is good.
namespace batholith::property {

// All of the below, and of test/property/invariants.h what the conf promises: a node is never
// over-committed, whatever the conf; gangs are whole where gang judges what is ready. Where nothing
// is evicted before the last allocate, queues stay within their capability if a plugin that owns
// shares admits, and within what they deserve if that is proportion: what a victim leaves behind
// is given on at once, while it still runs.
std::vector<std::string> CheckSession(const ClusterObjects& objects, const CycleResult& result,
                                      const ConfTraits& conf, TimeNs now);

// Binds and reservations are of pods of ours that wait without a gate, each one place at most, and
// nobody is bound or promised a place and told to go.
std::vector<std::string> CheckPlaces(const ClusterObjects& objects, const CycleResult& result);

// Every pod of ours that waits is told why, and no other pod is.
std::vector<std::string> CheckReasons(const ClusterObjects& objects, const CycleResult& result);

// Preempt and reclaim take pods of ours that may be preempted, and none that a plugin of the conf
// guards: of the system (conformance), in their cooldown (cdp), beyond a budget (pdb).
std::vector<std::string> CheckVictims(const ClusterObjects& objects, const CycleResult& result,
                                      const ConfTraits& conf, TimeNs now);

}  // namespace batholith::property
