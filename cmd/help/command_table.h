#pragma once

#include <span>
#include <string>
#include <vector>

#include "cmd/help/page.h"

namespace batholith {

// A command of the program.
struct Command {
  const char* name;
  const char* heading;  // below which it stands in the help
  const char* summary;
  int (*run)(const std::vector<std::string>& arguments);
  std::vector<CommandPage> (*pages)();  // one, or one for each verb
};

// All, in the order of the help.
std::span<const Command> Commands();

}  // namespace batholith
