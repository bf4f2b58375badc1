#pragma once

#include <string>

#include "scheduler/run_outcome.h"

namespace batholith {

// Who waits and why: a line for each reason, that of the most pods first, with how many pods of how
// many jobs. With `all` a line for each job. `others_wait`: a pod of another scheduler has no
// place.
std::string PendingText(const RunOutcome& run, bool all, bool others_wait);

}  // namespace batholith
