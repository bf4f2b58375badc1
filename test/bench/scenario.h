#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "test/bench/cluster_maker.h"

namespace batholith::bench {

// Where the sessions of a scenario get their cluster from. A snapshot is always built on the clock.
enum class Course : std::uint8_t {
  kSame,       // the same records again and again; each session knows nothing of the one before
  kUntilIdle,  // a measurement is a series of sessions on a simulated cluster until nothing moves
  kLive,       // a live cluster that is told events, on the clock, and takes decisions for done
  kColdStart,  // a new live cluster each time, which is told everything, on the clock
  kIngest,     // no session: texts of events become records of a live cluster, on the clock
  kMemory,     // no figures of time: what a live cluster and a session take up
  kSoak,       // a live cluster for as long as --duration says, where pods come at a rate
};

struct Scenario {
  std::string_view name;
  std::string_view what;
  Course course = Course::kSame;
  std::string_view actions;         // of the built-in conf; empty: its own
  void (*shape)(Sizes&) = nullptr;  // sets the sizes that the scenario's own rule gives
  void (*fill)(ClusterMaker&, const Sizes&) = nullptr;
  bool is_tree = false;          // queues are a tree: capacity with its hierarchy, not proportion
  bool to_decision = false;      // seconds end with the decision, not when it is taken for done
  std::string_view plugin = {};  // that is added to the built-in conf
};

// Every scenario, in the order in which they are listed.
std::span<const Scenario> Scenarios();

// What a session of the course starts from, in words.
std::string_view WarmupOf(Course course);

}  // namespace batholith::bench
