#pragma once

#include "framework/session.h"

namespace batholith {

// Adds the condition DisruptionTarget to the status of each group that this session evicts whole:
// True, with the reason and words of the eviction. Cost: nothing where no group falls whole.
// REQUIRES: the jobs are reported.
void ReportDisruption(Session& session);

}  // namespace batholith
