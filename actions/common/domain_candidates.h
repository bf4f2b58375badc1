#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
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

// Candidates tier by tier: those first that hold all, then those of the lower tier. Judged further
// only when their tier is asked for, since the first one decides most often. Lives as long as the
// search of one job.
class CandidateTiers {
 public:
  // `name_ranks`: of domains, by their names.
  CandidateTiers(TopologyOwner& topology, std::span<const std::uint32_t> name_ranks,
                 const ResourceVector& whole, std::vector<DomainCandidate> candidates)
      : topology_(topology),
        name_ranks_(name_ranks),
        whole_(whole),
        candidates_(std::move(candidates)) {}

  std::size_t size() const { return candidates_.size(); }
  // The next tier, first to be tried first: the fuller, who has more of the tasks, the name. Empty:
  // there is no more. Valid until the next call.
  std::span<const DomainCandidate> Next();
  // The first one, tier by tier, for which `takes(candidate)` is true; nullptr: there is none.
  template <typename Takes>
  const DomainCandidate* FirstThat(Takes takes) {
    for (auto tier = Next(); !tier.empty(); tier = Next()) {
      const auto it = std::ranges::find_if(tier, takes);
      if (it != tier.end()) return &*it;
    }
    return nullptr;
  }

 private:
  TopologyOwner& topology_;
  std::span<const std::uint32_t> name_ranks_;
  ResourceVector whole_;
  std::vector<DomainCandidate> candidates_;
  std::size_t next_ = 0;  // those before it were asked for
};

// Which domains could hold tasks, judged from sums. Lives for one action.
class DomainCandidates {
 public:
  struct Asked {
    TopologyLimit limit;
    DomainIndex inside = DomainTree::kRoot;
    std::span<const TaskIndex> tasks;          // all of the job or sub-job, whatever their state
    ResourceVector whole;                      // Σ request of what waits
    bool prefer_all = false;                   // where all that waits has room comes first
    ResourceVector need;                       // at least so much of it is placed together
    const ResourceVector* promised = nullptr;  // room that was there when the session opened, in a
                                               // domain that holds none of the tasks; nullptr: any
  };

  DomainCandidates(const Session& session, TopologyOwner& topology)
      : session_(session), topology_(topology) {}

  // Cost: O(domains) with a few amounts each.
  CandidateTiers Find(const Asked& asked);
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
