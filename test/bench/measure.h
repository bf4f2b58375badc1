#pragma once

#include <string>
#include <vector>

#include "framework/pipeline.h"
#include "test/bench/scenario.h"

namespace batholith::bench {

struct MeasureOptions {
  int threads = 1;
  std::size_t repeat = 10;
  std::size_t warmup = 1;
  bool check = true;
};

// Seconds of the parts of one measurement, which is a session or a series of them.
struct Phases {
  double snapshot = 0;
  double open = 0;
  double actions = 0;
  double close = 0;
  double Total() const { return snapshot + open + actions + close; }
};

struct Measurement {
  std::vector<Phases> runs;  // without the warm-up
  // Of the last run.
  std::size_t sessions = 0;
  std::size_t placed = 0;
  std::size_t evicted = 0;
  std::vector<std::string> problems;  // what the checks found; empty is good
};

// Runs the scenario warmup + repeat times. Snapshots are built on the clock, clusters off it.
// Errors: a snapshot that cannot be built.
Result<Measurement> Measure(const Scenario& scenario, const Sizes& sizes, const Pipeline& pipeline,
                            const MeasureOptions& options);

}  // namespace batholith::bench
