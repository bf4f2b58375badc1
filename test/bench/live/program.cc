#include "test/bench/live/program.h"

#include <exception>
#include <iostream>

namespace batholith::bench {

int RunProgram(int argc, char** argv, const char* name,
               boost::program_options::options_description flags, const std::function<int()>& run) {
  namespace po = boost::program_options;
  flags.add_options()("help", "print this");
  try {
    po::variables_map values;
    po::store(po::parse_command_line(argc, argv, flags), values);
    po::notify(values);
    if (values.contains("help")) {
      std::cout << flags;
      return 0;
    }
    return run();
  } catch (const std::exception& e) {
    std::cerr << name << ": " << e.what() << "\n";
    return 2;
  }
}

}  // namespace batholith::bench
