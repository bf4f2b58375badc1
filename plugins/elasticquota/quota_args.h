#pragma once

#include "conf/plugin_args.h"
#include "quota/options.h"

namespace batholith {

// The plugin's arguments as options of the quota model. REQUIRES: arguments were validated.
QuotaOptions ReadQuotaOptions(const PluginArguments& args);

}  // namespace batholith
