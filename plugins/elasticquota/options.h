#pragma once

#include <span>

#include "framework/options/arguments.h"
#include "framework/pipeline.h"
#include "quota/options.h"

namespace batholith {

// A policy is one value for all dialects, or a mapping of cs, nos and koordinator to a value each.
std::span<const ArgumentSpec> ElasticQuotaArguments();
OptionResult<QuotaOptions> ReadElasticQuotaOptions(const Arguments& arguments);

// As a conf has them; where it is without the plugin, the defaults.
QuotaOptions QuotaOptionsOf(const Pipeline& pipeline);

}  // namespace batholith
