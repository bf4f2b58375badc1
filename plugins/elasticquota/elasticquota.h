#pragma once

#include "framework/plugin.h"

namespace batholith {

// Elastic quotas of three dialects in one model: admission, victims, order and figures (reference
// elastic quotas, section 5).
PluginDescriptor ElasticQuotaPlugin();

}  // namespace batholith
