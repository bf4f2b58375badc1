#pragma once

#include <span>
#include <string_view>

#include "test/bench/cluster_maker.h"

namespace batholith::bench {

// What happens between two measured sessions.
enum class Course {
  kSame,       // nothing: every session sees the same cluster
  kChanges,    // `changes` pods come; those that were placed run; as many of the oldest go
  kUntilIdle,  // a measurement is a whole series of sessions, from the start until nothing moves
};

struct Scenario {
  std::string_view name;
  std::string_view what;
  Course course = Course::kSame;
  std::string_view actions;         // of the built-in conf; empty: its own
  void (*shape)(Sizes&) = nullptr;  // sets the sizes that the scenario's own rule gives
  void (*fill)(ClusterMaker&, const Sizes&) = nullptr;  // none: comes later
};

// Every scenario, in the order in which they are listed.
std::span<const Scenario> Scenarios();

// One more wave of pending pods for Course::kChanges; `wave` numbers their names.
void AddArrivals(ClusterMaker& maker, const Sizes& sizes, std::size_t wave);

}  // namespace batholith::bench
