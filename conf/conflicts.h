#pragma once

#include <optional>
#include <string>

#include "conf/scheduler_conf.h"

namespace batholith {

struct Conflict {
  int line = 0;  // of what does not go with something else
  std::string message;
};

// Two plugins of a conf of which each would decide what only one can, or actions in an order that
// makes no sense. The first in conf order.
std::optional<Conflict> FindConflict(const SchedulerConf& conf);

}  // namespace batholith
