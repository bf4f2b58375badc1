#pragma once

#include <boost/program_options.hpp>
#include <string>
#include <vector>

namespace batholith {

// Parses a command's flags. Prints help or a complaint with "did you mean" itself; `status` is then
// the exit status.
struct ParsedFlags {
  boost::program_options::variables_map values;
  bool stop = false;
  int status = 0;
};
ParsedFlags ParseFlags(const std::string& command, const std::string& usage,
                       const boost::program_options::options_description& flags,
                       const boost::program_options::positional_options_description& positional,
                       const std::vector<std::string>& arguments);

}  // namespace batholith
