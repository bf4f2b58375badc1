#pragma once

#include <span>
#include <string>
#include <vector>

#include "api/result.h"
#include "framework/options/argument_spec.h"
#include "framework/options/conf_value.h"

namespace batholith {

// Whose arguments are checked, and against what.
struct ArgumentOwner {
  std::string name;  // "plugin binpack"
  std::span<const ArgumentSpec> arguments;
  std::span<const RetiredArgument> retired;
};

// Checks arguments against the table of their owner and takes out what is to be ignored. Returns
// warnings. Errors: an argument that is unknown, of a wrong shape or out of range; the first one by
// key.
Result<std::vector<std::string>> CheckArguments(const std::string& file, const ArgumentOwner& owner,
                                                ConfValue& arguments);

}  // namespace batholith
