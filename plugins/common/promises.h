#pragma once

#include "framework/session_state.h"

namespace batholith {

// What room admitted jobs are still to get. A job that no node can hold keeps nobody out: nothing
// is promised to it, in this session, whatever its phase.

// What the job needs to start: minResources or, where the group names none, what its first
// minMember pods ask for. Nothing of what it cannot have now: pods that wait for scheduling gates,
// and all of it where no node holds it.
ResourceVector PromisedTo(const Snapshot& snapshot, JobIndex job);

// Of that, what the job does not hold yet. What its pods hold is counted where they are.
ResourceVector StillToCome(const Snapshot& snapshot, const SessionState& state, JobIndex job);

// The same, of an admitted job. Nothing for a job in another phase, and for one that runs with less
// than its minimum: it is coming to its end.
ResourceVector StillPromised(const Snapshot& snapshot, const SessionState& state, JobPhase phase,
                             JobIndex job);

}  // namespace batholith
