#pragma once

#include <string>
#include <string_view>

#include "api/result.h"
#include "framework/pipeline.h"

namespace batholith {

// The reference of everything that a conf may name: every plugin and action with its switches and
// arguments, in Markdown. docs/conf.md is this text.
std::string ExplainConf(const Registry& registry);

// The section of one plugin or action. Errors: there is none of this name.
Result<std::string> ExplainName(const Registry& registry, std::string_view name);

}  // namespace batholith
