#pragma once

#include <string_view>

#include "actions/builtin.h"
#include "conf/load.h"
#include "plugins/builtin.h"

namespace batholith {

// A conf `c.yaml` of this text, with every plugin and action that there is.
inline Result<SchedulerConf> Parse(std::string_view text,
                                   MissingParts missing = MissingParts::kRefused) {
  return ParseConf(text, "c.yaml", {BuiltinPlugins(), BuiltinActions()}, missing);
}

}  // namespace batholith
