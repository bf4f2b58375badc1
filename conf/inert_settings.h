#pragma once

#include <string>
#include <vector>

#include "conf/scheduler_conf.h"

namespace batholith {

// Settings of a valid conf that can never have an effect together, one sentence each: an action
// that no plugin lets do anything, a plugin that stands where another one always speaks first.
std::vector<std::string> InertSettings(const SchedulerConf& conf);

}  // namespace batholith
