#pragma once

#include <string>

#include "api/result.h"

namespace batholith {

// What bash, zsh or fish reads to complete commands, verbs and flags, from the table of commands.
// Errors: another shell.
Result<std::string> CompletionScript(const std::string& shell);

}  // namespace batholith
