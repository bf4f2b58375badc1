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
         std::ranges::any_of(
             job.record->sub_group_policies,
             [](const SubGroupPolicy& p) { return IsLimited(p.network_topology); }) ||
         !LabelKeysOf(job).empty();
}

bool HoldForTopology(Session& session, JobTopologies& topologies, JobIndex job) {
  using Why = TopologyRefusal::Why;
  const JobFacts& facts = session.snapshot().job(job);
  if (!HasHardTopology(facts) || topologies.Of(job) != nullptr) return false;
  const bool by_label = !LabelKeysOf(facts).empty();
  if (!by_label && session.pipeline().ignored.Has(PlacementNeed::kNetworkTopology)) return false;
  session.attempts().RecordTopologyRefusal(job,
                                           {.why = by_label ? Why::kManyLabels : Why::kNoPlugin});
  return true;
}

}  // namespace batholith
