#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/cluster_objects.h"

namespace batholith::property {

struct RandomQuotaOptions {
  std::optional<QuotaDialect> only;  // else each quota draws its own
  bool units = false;          // pods of one cpu and single jobs; minimums that the nodes can hold
  bool gangs = true;           // some jobs need several pods
  bool protected_pods = true;  // some may not be preempted
  bool releasing = true;       // some are being deleted
};

// A cluster of 2 to 4 nodes and 2 to 5 namespaces "t0", "t1" … with one elastic quota each, of any
// dialect; namespace "free" has none. Koordinator's may stand below a parent in namespace "tree";
// two namespaces may share a composite in namespace "both". Some of up to 40 pods run, wherever
// there was room, so quotas may hold more than they would get today. The same seed gives the same
// objects.
ClusterObjects RandomQuotas(std::uint64_t seed, const RandomQuotaOptions& options = {});

// The quota that binds the pod, by the one rule that holds in these clusters; nullptr: none.
const ElasticQuotaRecord* QuotaOfPod(const ClusterObjects& objects, const PodRecord& pod);

// Nodes, quotas and pods, for a person, a line each.
std::string Described(const ClusterObjects& objects);

}  // namespace batholith::property
