#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "api/result.h"
#include "test/bench/measure.h"

namespace batholith::bench {

// What the command line says.
struct Settings {
  std::string scenario = "place";
  Sizes sizes;
  std::string conf_file;
  std::string trace;
  std::string pod_list = "default";
  MeasureOptions measure;
  std::string against;   // another program that is run in turn; empty: none
  std::size_t each = 3;  // measured sessions of each program of a pair
  // The flags as they were given but those of the pairs, for the programs of the pairs.
  std::vector<std::string> child_flags;
};

// Nothing where help was asked for, which is printed. Errors: a flag, a scenario or a combination
// that does not exist, a trace that cannot be read. The sizes are those that the scenario's rule
// gives.
Result<std::optional<Settings>> ReadSettings(int argc, char** argv);

// REQUIRES: it exists.
const Scenario& ScenarioOf(const Settings& settings);

}  // namespace batholith::bench
