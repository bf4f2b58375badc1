#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "api/cluster_objects.h"
#include "api/effect.h"
#include "api/eviction_round.h"

namespace batholith {

struct CycleBind {
  int cycle = 0;
  Bind bind;
};

struct CycleEvict {
  int cycle = 0;
  Evict evict;
};

struct RunOutcome {
  int cycles = 0;  // sessions that ran; 0 where only figures were asked for
  std::vector<CycleBind> binds;
  std::vector<CycleEvict> evictions;
  CycleResult last;
  std::map<std::string, PlacementTrace> traces;   // by pod: its first attempt
  std::map<std::string, std::string> quota_of;    // by pod: its quota, also of pods that are gone
  std::shared_ptr<const ClusterObjects> objects;  // as the last session left them
  std::vector<std::string> errors;                // events that could not happen
  std::vector<std::string> warnings;
  std::vector<EvictionRound> going_round;  // evictions that have no end in sight
};

}  // namespace batholith
