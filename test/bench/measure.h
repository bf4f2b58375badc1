#pragma once

#include <boost/json/object.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
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
  bool allocations = false;  // count them: a little slower
  double rate = 1000;        // of Course::kSoak: arrivals a second
  double duration_s = 60;    // of Course::kSoak
};

// Seconds of the parts of one measurement, which is a session or a series of them.
struct Phases {
  double apply = 0;  // events of a live cluster
  double snapshot = 0;
  double open = 0;
  double actions = 0;
  double close = 0;
  double assume = 0;  // what was decided is taken for done in a live cluster
  double cpu = 0;     // of all threads, in all of the above

  double ToDecision() const { return apply + snapshot + open + actions + close; }
  double Total() const { return ToDecision() + assume; }
  void Add(const Phases& more);
};

struct Measurement {
  std::vector<Phases> runs;  // without the warm-up
  // Of the last run.
  std::size_t sessions = 0;
  std::size_t placed = 0;
  std::size_t evicted = 0;
  std::size_t events = 0;
  std::size_t still = 0;  // sessions of the last run that were not run, since nothing had changed
  std::optional<std::uint64_t> allocations;  // heap allocations; where they were counted
  std::uint64_t decisions = 0;               // a digest of what all measured sessions decided
  // Of the whole process, before the first check of a result.
  std::int64_t peak_rss_bytes = 0;
  boost::json::object more;           // what only this scenario has
  std::vector<std::string> problems;  // what the checks found; empty is good
};

// Runs the scenario warmup + repeat times. Clusters and events are made off the clock. Holds one
// result at a time.
Measurement Measure(const Scenario& scenario, const Sizes& sizes, const Pipeline& pipeline,
                    const MeasureOptions& options);

}  // namespace batholith::bench
