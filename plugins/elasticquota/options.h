#pragma once

#include <span>

#include "framework/options/arguments.h"
#include "quota/options.h"

namespace batholith {

// A policy is one value for all dialects, or a mapping of cs, nos and koordinator to a value each.
std::span<const ArgumentSpec> ElasticQuotaArguments();
OptionResult<QuotaOptions> ReadElasticQuotaOptions(const Arguments& arguments);

}  // namespace batholith
