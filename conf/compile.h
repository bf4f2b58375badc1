#pragma once

#include "api/result.h"
#include "conf/scheduler_conf.h"
#include "framework/pipeline.h"

namespace batholith {

// Reads the options of every plugin and action from their arguments. Errors: arguments that do not
// go together.
Result<Pipeline> Compile(const SchedulerConf& conf);

}  // namespace batholith
