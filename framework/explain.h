#pragma once

#include <string>

#include "framework/session.h"

namespace batholith {

struct Explanation {
  std::string reason;   // one word, as a condition has it
  std::string message;  // empty: nothing blocks it
};

// Why a job of ours waits, in the order of what blocks it: queue missing or closed, not admitted,
// not enough pods, queue limit, nodes with the gang's shortage. Cost: O(its tasks).
Explanation ExplainJob(const Session& session, JobIndex job);
// The same for one pending pod of it: gates first; then what blocks the job or this pod.
Explanation ExplainTask(const Session& session, TaskIndex task, const Explanation& job);

}  // namespace batholith
