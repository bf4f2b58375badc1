#pragma once

#include <string>
#include <vector>

#include "api/result.h"

namespace batholith {

struct ManualPage {
  std::string file;  // batholith-queue-list.1
  std::string text;  // as man reads it
};

// Of the program, and of each command or verb, from the table of commands.
std::vector<ManualPage> ManualPages();
// That of `words`, such as queue list; of the program where there are none. Errors: there is none.
Result<std::string> ManualOf(const std::vector<std::string>& words);

}  // namespace batholith
