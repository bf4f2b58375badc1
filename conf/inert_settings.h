#pragma once

#include <string>
#include <vector>

#include "conf/scheduler_conf.h"
#include "framework/pipeline.h"

namespace batholith {

// Settings of a valid conf that can never have an effect together, one sentence each: an action
// that no plugin lets do anything, a plugin that stands where another one always speaks first.
// What could be added is named from `registry`.
std::vector<std::string> InertSettings(const SchedulerConf& conf, const Registry& registry);

}  // namespace batholith
