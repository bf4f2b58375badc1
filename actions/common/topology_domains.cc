#include "actions/common/topology_domains.h"

#include <algorithm>

#include "api/sort_unique.h"

namespace batholith {

NodeChoice TopologyDomains::Best(TaskIndex task, DomainIndex domain, NodeBonus* bonus) {
  if (!regions_) regions_.emplace(session_, fit_);
  return regions_->Best(task, RegionOf(domain), bonus);
}

Region TopologyDomains::RegionOf(DomainIndex domain) {
  const auto id = static_cast<std::uint32_t>(domain.value());
  if (tree().repeated().empty()) return {id, tree().NodesIn(domain)};
  const auto [at, added] = nodes_once_.try_emplace(domain);
  if (added) {
    at->second.assign(tree().NodesIn(domain).begin(), tree().NodesIn(domain).end());
    SortUnique(at->second);
  }
  return {id, at->second};
}

std::size_t TopologyDomains::CountWithin(const TopologyLimit& limit) {
  if (tiers_.empty()) {
    for (std::size_t d = 0; d < tree().size(); ++d) tiers_.push_back(tree()[DomainIndex(d)].tier);
    std::ranges::sort(tiers_);
  }
  const auto first = std::ranges::lower_bound(tiers_, limit.lowest_tier);
  const auto last = std::ranges::upper_bound(tiers_, limit.highest_tier);
  return last > first ? static_cast<std::size_t>(last - first) : 0;
}

void TopologyDomains::Tell(JobIndex job, const Refused& refused) {
  using Why = TopologyRefusal::Why;
  TopologyRefusal out{.of_sub_job = refused.sub_job.has_value(),
                      .sub_job = refused.sub_job.value_or(0),
                      .hard = refused.limit.hard,
                      .highest_tier = refused.limit.highest_tier,
                      .pods = static_cast<std::int32_t>(refused.pods),
                      .domains = static_cast<std::int32_t>(CountWithin(refused.limit)),
                      .tried = static_cast<std::int32_t>(refused.tried)};
  if (candidates_.Around(refused.limit, refused.members, DomainTree::kRoot).empty())
    out.why = Why::kSpread;
  session_.attempts().RecordTopologyRefusal(job, out);
}

}  // namespace batholith
