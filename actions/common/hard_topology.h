#pragma once

#include "framework/session.h"

namespace batholith {

// Whether the job, or a part of it, has a hard topology with a limit.
bool HasHardTopology(const JobFacts& job);
// True for such a job where no plugin knows which nodes are close to each other: nobody may place
// it, and it is told why.
bool HoldForTopology(Session& session, JobIndex job);

}  // namespace batholith
