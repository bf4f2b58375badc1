#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/result.h"
#include "scheduler/run_outcome.h"
#include "sim/run/run_sessions.h"

namespace batholith {

// Jobs that come and go while a simulation runs: `every=30s,jobs=20,tasks=2,cpu=1,memory=2Gi,
// lifetime=10m,queue=default,namespace=default,seed=0`. With a seed the times between two jobs are
// drawn (exponential, mean `every`), so bursts happen; 0: they are even.
struct LoadSpec {
  std::int64_t every_ns = 30'000'000'000;
  std::int64_t jobs = 20;
  std::int64_t tasks = 1;
  std::int64_t min_member = 0;  // 0: all tasks
  ResourceList request;
  std::int64_t lifetime_ns = 0;  // from its arrival; 0: it stays
  std::string queue = "default";
  std::string namespace_ = "default";
  std::uint64_t seed = 0;
};

// Errors name the part that is wrong.
Result<LoadSpec> ParseLoad(const std::string& text);

// More than this no number of a load may be.
inline constexpr std::int64_t kMostPods = 1'000'000;

// Events of a run with this period, for its first `cycles` sessions.
std::vector<RunEvent> LoadEvents(const LoadSpec& load, std::int64_t period_ns, int cycles,
                                 TimeNs now);

// A load and what it means for one run.
struct GeneratedLoad {
  LoadSpec spec;
  std::vector<RunEvent> events;
  std::int64_t period_ns = 0;
};
// Errors: more than `max_pods` come during the run, too.
Result<GeneratedLoad> GenerateLoad(const std::string& text, const RunOptions& run,
                                   std::int64_t max_pods);

// How long the pods of the load waited: a line for a person.
std::string LoadSummary(const GeneratedLoad& load, const RunOutcome& run);

}  // namespace batholith
