#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/session.h"

namespace batholith {

// A domain that may hold what is to be placed.
struct DomainCandidate {
  DomainIndex domain;
  std::int64_t tier = 0;
  bool holds_all = false;  // there is room for all that waits, not only for the minimum
  double fullness = 0;
  double share = 0;  // of the tasks: how many are there already
};

// Which domains could hold tasks, judged from sums. Lives for one action.
class DomainCandidates {
 public:
  struct Asked {
    TopologyLimit limit;
    DomainIndex inside = DomainTree::kRoot;
    std::span<const TaskIndex> tasks;          // all of the job or sub-job, whatever their state
    const ResourceVector* whole = nullptr;     // Σ request of what waits
    bool prefer_all = false;                   // where all that waits has room comes first
    ResourceVector need;                       // at least so much of it is placed together
    const ResourceVector* promised = nullptr;  // room that was there when the session opened, in a
                                               // domain that holds none of the tasks; nullptr: any
  };

  DomainCandidates(const Session& session, TopologyOwner& topology)
      : session_(session), topology_(topology) {}

  // First to be tried first: who holds all, the lower tier, the fuller, who has more of the tasks,
  // the name. Cost: O(domains) with a few amounts each.
  std::vector<DomainCandidate> Find(const Asked& asked);
  // The widest domains, disjoint or not, in which the tasks must stay: within the limit, around all
  // that have a place. Empty: there is none.
  std::vector<DomainIndex> Around(const TopologyLimit& limit, std::span<const TaskIndex> tasks,
                                  DomainIndex inside);

 private:
  void CountTasks(std::span<const TaskIndex> tasks);
  void RankNames();

  const Session& session_;
  TopologyOwner& topology_;
  std::vector<std::uint32_t> name_ranks_;  // by domain; once somebody asked
  std::vector<NodeIndex> nodes_;           // of the tasks that have one
  std::vector<std::int32_t> counts_;       // by domain: tasks that it holds
  std::vector<std::size_t> seen_in_;       // by domain: the last of nodes_ that was counted
  std::vector<DomainIndex> counted_;       // whose count is not 0
};

// At least so many of the tasks are to be placed: no sum of requests of that many is below it.
ResourceVector LeastOf(const Snapshot& snapshot, std::span<const TaskIndex> tasks,
                       std::size_t count);

}  // namespace batholith
