#pragma once

#include <set>
#include <string>
#include <utility>

#include "cmd/metrics/metrics.h"
#include "framework/eviction_watch.h"

namespace batholith {

// Says in the log and in the metrics which evictions go round; in the log when one begins to.
class EvictionLog {
 public:
  void Tell(const CycleResult& result, Metrics& metrics);

 private:
  EvictionWatch watch_;
  std::set<std::pair<std::string, std::string>> told_;  // names in their order
};

}  // namespace batholith
