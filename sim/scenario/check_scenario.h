#pragma once

#include <string>
#include <vector>

#include "conf/load.h"
#include "sim/scenario/expect.h"
#include "sim/scenario/scenario.h"

namespace batholith {

struct Verdict {
  std::vector<Failure> failures;
  std::vector<std::string> refused;   // objects that were left out
  std::vector<std::string> warnings;  // of the conf, the other objects and the run
  double seconds = 0;
  bool passed() const { return failures.empty(); }
};

// Decodes, compiles, runs and compares one scenario. An object that an API server would refuse is
// left out with a warning, unless the scenario expects an error. The observer, where there is one,
// hears of each session; `missing` is what becomes of what its confs name and this build lacks.
Verdict CheckScenario(const Scenario& scenario, const SessionObserver& on_session = {},
                      MissingParts missing = MissingParts::kRefused);

}  // namespace batholith
