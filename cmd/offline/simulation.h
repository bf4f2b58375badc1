#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "api/result.h"
#include "cmd/load_generator.h"
#include "cmd/simulate_flags.h"
#include "scheduler/run_outcome.h"

namespace batholith {

// What comes beside the outcome of a run.
struct BesideRun {
  GeneratedLoad load;                            // of --load
  std::map<std::string, std::int64_t> left_out;  // objects of the input that nobody reads, by kind
  std::vector<std::string> delays;               // of the conf, that outlast the run
};

// Reads the manifests and the conf, and runs the sessions. What is no error goes to standard error.
// The file of --dump is opened once the input is known to be good: a refused one leaves it alone.
Result<RunOutcome> RunSimulation(const Simulation& s, BesideRun& beside);

// On standard error; of very many the first.
void PrintWarnings(const std::vector<std::string>& warnings);
// The error that objects of the input were refused; of very many the first.
std::string RefusedText(const std::vector<std::string>& refused);

}  // namespace batholith
