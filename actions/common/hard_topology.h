#pragma once

#include "actions/common/job_topologies.h"
#include "framework/session.h"

namespace batholith {

// Whether the job, or a part of it, has a hard topology with a limit.
bool HasHardTopology(const JobFacts& job);
// True for such a job where nobody knows which nodes are close to each other: no action may place
// it, and it is told why.
bool HoldForTopology(Session& session, JobTopologies& topologies, JobIndex job);

}  // namespace batholith
