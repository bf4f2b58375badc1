#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "api/result.h"
#include "cmd/load_generator.h"
#include "cmd/simulate_flags.h"
#include "scheduler/run_outcome.h"

namespace batholith {

// Reads the manifests and the conf, and runs the sessions. What is no error goes to standard error.
// The sessions are dumped where there is a stream; `load` is what --load generated.
Result<RunOutcome> RunSimulation(const Simulation& s, std::ostream* dump, GeneratedLoad& load);

// On standard error; of very many the first.
void PrintWarnings(const std::vector<std::string>& warnings);

}  // namespace batholith
