#pragma once

#include <boost/program_options.hpp>
#include <functional>

namespace batholith::bench {

// The main of a program: reads the command line into what `flags` refer to, then runs. Returns the
// exit status: that of `run`; 0 after --help, which every program has; 2 for what cannot be read
// and for what `run` throws.
int RunProgram(int argc, char** argv, const char* name,
               boost::program_options::options_description flags, const std::function<int()>& run);

}  // namespace batholith::bench
