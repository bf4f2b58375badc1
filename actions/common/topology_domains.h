#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "actions/common/domain_candidates.h"
#include "framework/region_chooser.h"

namespace batholith {

// The domains of one topology, as actions search in them. Lives for one action.
class TopologyDomains {
 public:
  TopologyDomains(Session& session, TopologyOwner& topology, Fit fit)
      : session_(session), topology_(topology), candidates_(session, topology), fit_(fit) {}

  TopologyOwner& topology() { return topology_; }
  const DomainTree& tree() const { return topology_.tree(); }
  DomainCandidates& candidates() { return candidates_; }
  // The best node of the domain for the task.
  NodeChoice Best(TaskIndex task, DomainIndex domain, NodeBonus* bonus);

  // Of whom no domain within the limit took the pods.
  struct Refused {
    TopologyLimit limit;
    std::optional<std::uint32_t> sub_job = {};  // none: the whole job
    std::span<const TaskIndex> members;         // all of it
    std::size_t pods = 0;                       // that were to be placed together
    std::size_t tried = 0;                      // domains that had room by their sums
  };
  void Tell(JobIndex job, const Refused& refused);

 private:
  Region RegionOf(DomainIndex domain);
  std::size_t CountWithin(const TopologyLimit& limit);

  Session& session_;
  TopologyOwner& topology_;
  DomainCandidates candidates_;
  Fit fit_;
  std::optional<RegionChooser> regions_;  // once somebody asked
  // Of domains with nodes that stand in several domains inside them: each node once.
  std::map<DomainIndex, std::vector<NodeIndex>> nodes_once_;
  std::vector<std::int64_t> tiers_;  // of all domains, ascending; once somebody asked
};

}  // namespace batholith
