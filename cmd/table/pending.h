#pragma once

#include <string>

#include "scheduler/run_outcome.h"

namespace batholith {

// Who waits and why: a line for each reason, that of the most pods first, with how many pods of how
// many jobs. With `all` a line for each job.
std::string PendingText(const RunOutcome& run, bool all);

}  // namespace batholith
