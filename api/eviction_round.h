#pragma once

#include <string>

namespace batholith {

// Pods that leave for somebody, come back and leave again: work that is lost for nothing.
struct EvictionRound {
  std::string group;    // whose pods were evicted; of two that lose pods, the first by name
  std::string for_job;  // for whom; empty: for no job
  std::string action;   // that evicted last
  int rounds = 0;       // how often pods of `group` left
  int back = 0;         // how often pods of `for_job` left for `group`
  bool operator==(const EvictionRound&) const = default;
};

}  // namespace batholith
