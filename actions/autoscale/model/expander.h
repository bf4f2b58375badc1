#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "actions/autoscale/model/conf.h"
#include "api/resource_vector.h"

namespace batholith {

// What growing one group would give.
struct ScaleOption {
  std::size_t group = 0;
  std::string name;
  std::int64_t nodes = 0;
  std::int64_t helped = 0;   // pods that would have a place
  ResourceVector requested;  // by these pods
  ResourceVector capacity;   // of one node
};

// Unused cpu of all new nodes + their unused memory, each in parts per billion of the capacity,
// rounded down. A resource that the node does not have counts as used.
std::int64_t WasteOf(const ScaleOption& option);

// The options that the chain leaves, in their order. Each filter keeps the best ones; priority
// keeps all where no group matches. `draw` chooses for kRandom: equal draws and seeds give equal
// choices.
std::vector<ScaleOption> FilterOptions(std::vector<ScaleOption> options, const AutoscaleConf& conf,
                                       std::uint64_t draw);

// The one to take: the first by name of those that the chain leaves. REQUIRES: options not empty.
ScaleOption PickOption(std::vector<ScaleOption> options, const AutoscaleConf& conf,
                       std::uint64_t draw);

}  // namespace batholith
