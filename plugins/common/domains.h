#pragma once

#include <map>
#include <string>
#include <vector>

#include "plugins/common/matching.h"

namespace batholith {

// Counts by (topology key, value).
using DomainCounts = std::map<std::pair<std::string, std::string>, std::int64_t>;

// What inter-pod affinity needs to know about one task while the session stands still.
struct AffinityCounts {
  std::vector<DomainCounts> affinity;       // per required term: pods that match all terms
  std::vector<DomainCounts> anti_affinity;  // per required term of the task
  DomainCounts existing_anti;               // domains where a standing pod refuses this task
  bool self_match = false;                  // the task matches all its own affinity terms
  bool anybody = false;                     // some standing pod matches the affinity terms
};
AffinityCounts CountAffinity(const Snapshot& snapshot, const SessionState& state, TaskIndex task);

// Raw preferred score of each domain: own preferred terms, and the terms of standing pods towards
// the task.
DomainCounts ScoreAffinity(const Snapshot& snapshot, const SessionState& state, TaskIndex task);

struct SpreadCounts {
  std::map<std::string, std::int64_t> by_value;  // matching pods in each domain that counts
  std::int64_t least = 0;  // the smallest of them; 0 when fewer than minDomains
};
// One for each constraint of the wanted hardness, in order.
std::vector<SpreadCounts> CountSpread(const Snapshot& snapshot, const SessionState& state,
                                      TaskIndex task, bool hard);

// Whether anybody's affinity or spread could concern this task.
bool HasOwnTerms(const PodConstraints& c);

}  // namespace batholith
