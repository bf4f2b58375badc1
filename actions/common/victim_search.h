#pragma once

#include "framework/statement.h"

namespace batholith {

// Who may be asked to leave, and who judges.
struct VictimPolicy {
  enum class Kind { kPreemptJobs, kPreemptWithin, kReclaim };
  Kind kind = Kind::kPreemptJobs;
};

// Reserves a place for `asker` in the statement (as Pipelined): on free or leaving room where there
// is any; else where evicting the least valuable plan of victims makes it fit. Victims that turn
// out not to be needed are given back. All predicates and the queue's admission are asked again in
// the state after the evictions. False: no place; the statement is as it was. Cost: O(nodes + tasks
// on them).
bool PlaceWithVictims(Session& session, Statement& statement, TaskIndex asker,
                      const VictimPolicy& policy);

}  // namespace batholith
