#pragma once

#include <span>

#include "conf/plugin_args.h"

namespace batholith {

// The arguments of plugin elasticquota (reference 5.2). A policy is one value for all dialects, or
// a mapping of cs, nos and koordinator to a value each.
std::span<const ArgSpec> QuotaArgSpecs();

// Of these, the policies.
std::span<const std::string_view> QuotaPolicyArguments();

}  // namespace batholith
