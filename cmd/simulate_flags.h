#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace batholith {

// What the flags of `simulate` say.
struct Simulation {
  std::vector<std::string> files;
  std::string conf_file;
  std::string cycles;
  std::string period;
  std::string output;
  std::string dump;
  std::string load;
  std::string victims;
  std::vector<std::string> scheduler_names;
  std::string default_queue;
  int threads = 0;
  std::int64_t max_pods = 0;
  bool all = false;
  bool lenient = false;
  bool watch = false;
  bool fail_on_pending = false;
};

struct ParsedSimulation {
  Simulation simulation;
  bool stop = false;      // all has been said
  int status = 0;         // the exit status then
  std::string complaint;  // flags that do not go together; empty: none
};
ParsedSimulation ParseSimulation(const std::vector<std::string>& arguments);

}  // namespace batholith
