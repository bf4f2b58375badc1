#pragma once

#include <string>
#include <vector>

#include "conf/scheduler_conf.h"

namespace batholith {

// Settings under which two jobs may take each other's place for ever, one sentence each with what
// to add: victims come back, and nothing says that they stay behind whom they gave way to.
std::vector<std::string> EndlessEvictions(const SchedulerConf& conf);

}  // namespace batholith
