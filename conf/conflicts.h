#pragma once

#include <optional>
#include <string>

#include "conf/scheduler_conf.h"

namespace batholith {

struct Conflict {
  int line = 0;  // of the plugin that does not go with another one
  std::string message;
};

// Two plugins of a conf of which each would decide what only one can. The first in conf order.
std::optional<Conflict> FindConflict(const SchedulerConf& conf);

}  // namespace batholith
