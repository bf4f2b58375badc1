#pragma once

#include "framework/statement.h"

namespace batholith {

// Who may be asked to leave, and which point judges.
enum class VictimKind { kPreemptJobs, kPreemptWithin, kReclaim };

// Reserves a place for `asker` in the statement (as Pipelined): on free or leaving room where there
// is any; else where evicting the least valuable plan of victims makes it fit. Victims that turn
// out not to be needed are given back. All predicates and the queue's admission are asked again in
// the state after the evictions. False: no place; the statement is as it was. Cost: O(nodes + tasks
// on them).
bool PlaceWithVictims(Session& session, Statement& statement, TaskIndex asker, VictimKind kind,
                      bool own_queue_only = false);

// Reserves places for the job's tasks while it starves. A class that found no place is not tried
// again: nothing that this statement does makes room for it. `own_queue_only`: the queue may take
// nothing from others, so only quotas can help.
void PlaceStarving(Session& session, Statement& statement, JobIndex job, VictimKind kind,
                   bool own_queue_only = false);

}  // namespace batholith
