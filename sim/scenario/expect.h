#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <vector>

#include "api/result.h"
#include "scheduler/run_outcome.h"

namespace batholith {

struct Failure {
  std::string expected;
  std::string got;
};

// Whether an `expect` block can be understood. Errors: an unknown field, with a "did you mean", or
// a value of the wrong kind.
Result<void> CheckExpectShape(const boost::json::object& expect, const std::string& path);

// What of an expectation does not hold, in the order in which it is written; empty: all holds.
// `error` is the caller's. REQUIRES: CheckExpectShape passed.
std::vector<Failure> CheckExpect(const boost::json::object& expect, const RunOutcome& outcome);

// Whether somebody asks for what the first attempt to place a pod saw.
bool NeedsTrace(const boost::json::object& expect);

}  // namespace batholith
