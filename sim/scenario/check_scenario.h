#pragma once

#include <string>
#include <vector>

#include "conf/load.h"
#include "sim/scenario/expect.h"
#include "sim/scenario/scenario.h"

namespace batholith {

struct Verdict {
  std::vector<Failure> failures;
  std::vector<std::string> refused;  // objects that were left out
  std::vector<std::string> doubts;   // of the other objects: fields that nobody knows, and the like
  std::vector<std::string> warnings;  // of the conf and the run
  double seconds = 0;
  bool passed() const { return failures.empty(); }
};

struct CheckOptions {
  SessionObserver on_session = {};                // hears of each session, where there is one
  MissingParts missing = MissingParts::kRefused;  // of what a conf names and this build lacks
  bool strict = false;  // fails for objects that are refused or hold what nobody knows
};

// Decodes, compiles, runs and compares one scenario. An object that an API server would refuse is
// left out with a warning, unless the scenario expects an error.
Verdict CheckScenario(const Scenario& scenario, const CheckOptions& options = {});

}  // namespace batholith
