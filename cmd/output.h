#pragma once

#include <string>

#include "verify/run.h"

namespace batholith {

// The whole document of a run, with a stable order of keys (docs: cli).
std::string OutputJson(const RunOutcome& outcome);
std::string OutputYaml(const RunOutcome& outcome);
// What a person wants to see.
std::string OutputTable(const RunOutcome& outcome);

}  // namespace batholith
