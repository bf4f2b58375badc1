#include "actions/common/hard_topology.h"

#include <algorithm>

namespace batholith {
namespace {

bool IsLimited(const std::optional<NetworkTopology>& topology) {
  return topology && topology->limited();
}

}  // namespace

bool HasHardTopology(const JobFacts& job) {
  return IsLimited(job.record->network_topology) ||
         std::ranges::any_of(job.record->sub_group_policies,
                             [](const SubGroupPolicy& p) { return IsLimited(p.network_topology); });
}

bool HoldForTopology(Session& session, JobIndex job) {
  if (session.chains().topology() != nullptr ||
      session.pipeline().ignored.Has(PlacementNeed::kNetworkTopology) ||
      !HasHardTopology(session.snapshot().job(job)))
    return false;
  session.attempts().RecordTopologyRefusal(job, {.why = TopologyRefusal::Why::kNoPlugin});
  return true;
}

}  // namespace batholith
