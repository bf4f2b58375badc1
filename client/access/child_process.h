#pragma once

#include <chrono>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "api/result.h"

namespace batholith {

struct ChildOutput {
  int exit_status = 0;  // 128 + signal where one ended it
  std::string out, err;
};

// Runs a program, found on the PATH where its name has no slash, with nothing to read, with
// `environment` over this program's own, and in a process group of its own. Blocks until it ended,
// whatever it did with its outputs and whoever else holds them, at most `timeout` and a second.
// After that time, and on a stop, its whole group is killed; on a stop before request_stop()
// returns. Errors: it cannot be started, does not end, or says more than 1 MB.
Result<ChildOutput> RunChild(const std::vector<std::string>& command,
                             const std::map<std::string, std::string>& environment,
                             std::chrono::milliseconds timeout, const std::stop_token& stop);

}  // namespace batholith
