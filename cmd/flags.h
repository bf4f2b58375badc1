#pragma once

#include <boost/program_options.hpp>
#include <string>
#include <vector>

#include "cmd/help/page.h"

namespace batholith {

// Parses a command's flags. Prints help or a complaint with "did you mean" itself; `status` is then
// the exit status. A letter may be written as kubectl's users do, -o json, -ojson or -o=json.
struct ParsedFlags {
  boost::program_options::variables_map values;
  bool stop = false;
  int status = 0;
};
ParsedFlags ParseFlags(const CommandPage& page, const std::vector<std::string>& arguments);

}  // namespace batholith
