#pragma once

#include <string>

#include "framework/session.h"

namespace batholith {

// Why the job found no domain for its pods, for a person; empty: nothing of the kind happened.
std::string TopologyText(const Session& session, JobIndex job);

}  // namespace batholith
