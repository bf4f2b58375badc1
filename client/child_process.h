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

// Runs a program, found on the PATH where its name has no slash, with nothing to read and with
// `environment` over this program's own. Blocks until it ended, at most `timeout`; then, and on a
// stop, it is killed. Errors: it cannot be started, does not end, or says more than 1 MB.
Result<ChildOutput> RunChild(const std::vector<std::string>& command,
                             const std::map<std::string, std::string>& environment,
                             std::chrono::milliseconds timeout, const std::stop_token& stop);

}  // namespace batholith
