#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cmd/node_scope_flags.h"
#include "codec/limits.h"

namespace batholith {

// What the flags of `simulate` say.
struct Simulation {
  std::vector<std::string> files;
  std::string conf_file;
  std::string cycles = "idle";
  std::string period = "1s";
  std::string output = "table";
  std::string dump;
  std::string load;
  std::string victims = "gone";
  std::vector<std::string> scheduler_names;
  std::string default_queue = "default";
  NodeScopeFlags node_scope;
  int threads = OwnThreads();
  std::int64_t max_pods = kMaxMadePods;
  bool all = false;
  bool lenient = false;
  bool watch = false;
  std::string fail_on_pending;  // empty, ours or all
  std::vector<std::string> other_scheduler_names;
  bool strict = false;

  static int OwnThreads();  // as many as this machine runs at once
};

struct ParsedSimulation {
  Simulation simulation;
  bool stop = false;      // all has been said
  int status = 0;         // the exit status then
  std::string complaint;  // flags that do not go together; empty: none
};
ParsedSimulation ParseSimulation(const std::vector<std::string>& arguments);

}  // namespace batholith
